-- Looks in a row that have found a CDN of a vendor not serving, and those that are due for one.
ALTER TABLE domain_cdn ADD COLUMN bad_looks smallint NOT NULL DEFAULT 0;
CREATE INDEX ON domain_cdn (next_attempt_at) WHERE state = 'operational';
