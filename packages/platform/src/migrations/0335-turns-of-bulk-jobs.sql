-- Organisations with domains that wait, one after the other, and when the last of each was done.
CREATE INDEX ON bulk_item (organization_id) WHERE state = 'waiting';
CREATE INDEX ON bulk_item (organization_id, finished_at) WHERE finished_at IS NOT NULL;
