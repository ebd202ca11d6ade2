-- How control over the names is proven: what was chosen, null for whichever fits, and what the order under way uses, or the last one did.
ALTER TABLE certificate
  ADD COLUMN chosen_challenge text,
  ADD COLUMN challenge text;
UPDATE certificate SET challenge = 'dns-01' WHERE imported_at IS NULL;

-- With a token it is a file of the host `name` (RFC 8555 8.3), without one a TXT record at `name` (8.4).
ALTER TABLE acme_challenge ADD COLUMN token text;
