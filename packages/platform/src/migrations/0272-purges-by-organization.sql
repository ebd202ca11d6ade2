-- Parts of purges that are not finished, by whose they are.
CREATE INDEX ON purge_receipt (organization_id, next_attempt_at) WHERE status IN ('deploying', 'rate-limited');
-- What of a domain is old enough to be forgotten.
CREATE INDEX ON purge (marked_at);
