-- What reads of a large installation were slow without; measured by `./fairway bench api`.
CREATE INDEX ON site (organization_id, created_at DESC);
CREATE INDEX ON dns_record (site_id) INCLUDE (organization_id);
CREATE INDEX ON node_version (node_id, ok);

-- The planner took this one, by time over all webhooks, for the newest delivery of one that had none for long. Forgetting old ones looks at all of them once an hour anyway.
DROP INDEX webhook_delivery_created_at_idx;

-- Search in the audit log by a part of a word. A database that lacks the extension, or refuses it, goes on without: the search then reads all entries of the organisation.
DO $$ BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX ON audit_log USING gin (words gin_trgm_ops);
EXCEPTION WHEN insufficient_privilege OR undefined_file OR feature_not_supported THEN
  RAISE NOTICE 'no pg_trgm: searching the audit log is slower';
END $$;
