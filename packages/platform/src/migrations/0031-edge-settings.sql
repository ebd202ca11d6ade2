-- HSTS by domain (RFC 6797). `forget` sends max-age=0, so that browsers drop what they were told.
ALTER TABLE domain
  ADD COLUMN hsts text NOT NULL DEFAULT 'off' CHECK (hsts IN ('off', 'forget', 'host', 'subdomains', 'preload')),
  ADD COLUMN hsts_seconds integer NOT NULL DEFAULT 31536000 CHECK (hsts_seconds BETWEEN 300 AND 63072000);

-- A soft purge that was taken back before a CDN was seen to obey it has not failed there.
ALTER TABLE purge_receipt DROP CONSTRAINT purge_receipt_status_check;
ALTER TABLE purge_receipt ADD CONSTRAINT purge_receipt_status_check
  CHECK (status IN ('deploying', 'rate-limited', 'completed', 'failed', 'unknown', 'undone'));
