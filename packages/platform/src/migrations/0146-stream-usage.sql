-- Stretches of time in which a process of the role had a live stream running. What a dead one had ends when it was last
-- heard of; no two of a stream are open at once, so no second counts twice.
CREATE TABLE stream_run (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organization ON DELETE CASCADE,
  live_id uuid NOT NULL REFERENCES stream_live ON DELETE CASCADE,
  runner text NOT NULL,
  started_at timestamptz NOT NULL,
  seen_at timestamptz NOT NULL,
  ended_at timestamptz,
  CHECK (seen_at >= started_at)
);
CREATE UNIQUE INDEX ON stream_run (live_id) WHERE ended_at IS NULL;
CREATE INDEX ON stream_run (seen_at);
ALTER TABLE stream_run ENABLE ROW LEVEL SECURITY;
ALTER TABLE stream_run FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON stream_run TO fairway_app USING (organization_id = current_setting('fairway.organization')::uuid) WITH CHECK (organization_id = current_setting('fairway.organization')::uuid);
CREATE POLICY system ON stream_run TO fairway_system USING (true) WITH CHECK (true);
GRANT SELECT ON stream_run TO fairway_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON stream_run TO fairway_system;

-- Where nobody is a customer yet, plans have prices for video; elsewhere the operator sets them.
UPDATE plan SET prices = jsonb_set(prices, '{USD,rates}', prices #> '{USD,rates}' || rates.added)
FROM (VALUES
  ('developer', '{"streamView": {"units": 1000, "minor": 20}, "liveMinute": {"units": 60, "minor": 100}, "encodedMinute": {"units": 100, "minor": 150}}'::jsonb),
  ('business', '{"streamView": {"units": 1000, "minor": 15}, "liveMinute": {"units": 60, "minor": 80}, "encodedMinute": {"units": 100, "minor": 120}}'),
  ('enterprise', '{"streamView": {"units": 1000, "minor": 10}, "liveMinute": {"units": 60, "minor": 50}, "encodedMinute": {"units": 100, "minor": 80}}')) AS rates (id, added)
WHERE plan.id = rates.id AND prices #> '{USD,rates}' IS NOT NULL AND NOT EXISTS (SELECT FROM billing_account);
