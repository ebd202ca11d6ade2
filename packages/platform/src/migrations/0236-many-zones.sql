-- Revision up to which a node has taken or refused everything that it follows, by its own word; unknown of one that has not said it. What it has yet to take is found by it, and not among all zones.
ALTER TABLE node ADD COLUMN taken_revision bigint;
-- How many documents of a kind there are.
CREATE INDEX publication_live ON publication (kind) WHERE body IS NOT NULL;
-- Tasks that have failed are shown to the operator; every site has one that waits.
CREATE INDEX ON site_task (site_id) WHERE state = 'failed';

-- The operator finds organisations by a part of the name of any of their sites. A database that lacks the extension, or refuses it, goes on without: the search then reads all sites.
DO $$ BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX ON site USING gin (domain_name gin_trgm_ops);
EXCEPTION WHEN insufficient_privilege OR undefined_file OR feature_not_supported THEN
  RAISE NOTICE 'no pg_trgm: finding an organisation by a site is slower';
END $$;
