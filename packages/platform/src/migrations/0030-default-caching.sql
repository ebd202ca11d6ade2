-- By default a lifetime is about static content only. Whoever has chosen one keeps what it was about then: everything.
ALTER TABLE domain ADD COLUMN cache_everything boolean NOT NULL DEFAULT false;
UPDATE domain SET cache_everything = true WHERE cache_ttl_seconds NOT IN (0, 7200) OR NOT cache_honor_origin;
INSERT INTO outbox (organization_id, kind, key)
  SELECT organization_id, kind, key FROM publication WHERE kind = 'edge-site' AND body IS NOT NULL;
