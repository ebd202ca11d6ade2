-- A document that cannot be built is tried again later, and keeps no other from being published.
ALTER TABLE outbox ADD COLUMN attempts int NOT NULL DEFAULT 0;
ALTER TABLE outbox ADD COLUMN problem text;
ALTER TABLE outbox ADD COLUMN due_at timestamptz NOT NULL DEFAULT now();
-- Zones of other primaries that are looked at just now: one of each organisation.
CREATE INDEX ON site_primary (organization_id, leased_until) WHERE leased_until IS NOT NULL;
-- One document's rows are found by it.
CREATE INDEX ON outbox (kind, key);
