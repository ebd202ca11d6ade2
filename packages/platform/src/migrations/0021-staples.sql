-- The authority's word that a certificate is not revoked (OCSP response, DER in base64), until when it holds, and when the authority is asked again.
ALTER TABLE certificate
  ADD COLUMN staple text,
  ADD COLUMN staple_until timestamptz,
  ADD COLUMN staple_next_at timestamptz;
