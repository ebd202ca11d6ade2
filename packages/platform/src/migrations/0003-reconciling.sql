-- What the driver of a CDN was last told, who looks after the row at the moment, and the site's version without it at the edge.
ALTER TABLE domain_cdn ADD COLUMN applied_version int;
ALTER TABLE domain_cdn ADD COLUMN leased_until timestamptz;
ALTER TABLE domain_cdn ADD COLUMN edge_left_version int;
ALTER TABLE domain_cdn DROP COLUMN leaves_edge;
CREATE INDEX ON domain (removed_at) WHERE removed_at IS NOT NULL;
