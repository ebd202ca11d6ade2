-- Failed purges of a CDN, which are few among all: whether they work again is asked of those alone.
CREATE INDEX ON purge_receipt (organization_id, cdn_id, finished_at) WHERE status = 'failed';
