-- The least TTL a plan allows.
ALTER TABLE plan ADD COLUMN minimum_ttl_seconds int NOT NULL DEFAULT 30;
UPDATE plan SET minimum_ttl_seconds = 300 WHERE id = 'developer';
UPDATE plan SET minimum_ttl_seconds = 60 WHERE id = 'business';

-- A domain whose record is gone stays, unseen, until its CDNs have left DNS and the edge.
ALTER TABLE domain ADD COLUMN removed_at timestamptz;

-- A CDN leaves in three steps: every DNS node has stopped answering with it, resolvers have forgotten it, every edge node has dropped it.
ALTER TABLE domain_cdn ADD COLUMN left_dns_at timestamptz;
ALTER TABLE domain_cdn ADD COLUMN leaves_edge boolean NOT NULL DEFAULT false;
CREATE INDEX ON domain_cdn (state) WHERE state <> 'operational';
CREATE INDEX ON domain_cdn (domain_id);

-- A name is steered once.
CREATE UNIQUE INDEX ON dns_record (domain_id) WHERE domain_id IS NOT NULL;
