-- Whether CDNs believe the origin only with a certificate of an authority that is known.
ALTER TABLE domain ADD COLUMN verify_certificate boolean NOT NULL DEFAULT false;
