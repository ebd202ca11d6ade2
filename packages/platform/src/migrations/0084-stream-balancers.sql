-- What players are steered between: one balancer for the organisation's assets (no live_id), one for each live stream.
CREATE TABLE stream_balancer (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organization_id uuid NOT NULL REFERENCES organization,
  live_id uuid UNIQUE REFERENCES stream_live ON DELETE CASCADE,
  is_on boolean NOT NULL DEFAULT false,
  mode text NOT NULL CHECK (mode IN ('weights', 'measured')),
  -- In order: cdnId, host, weight, enabled.
  entries jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  modified_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX ON stream_balancer (organization_id) WHERE live_id IS NULL;
CREATE INDEX ON stream_balancer (organization_id) WHERE is_on;

ALTER TABLE stream_balancer ENABLE ROW LEVEL SECURITY;
ALTER TABLE stream_balancer FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON stream_balancer TO fairway_app USING (organization_id = current_setting('fairway.organization')::uuid) WITH CHECK (organization_id = current_setting('fairway.organization')::uuid);
CREATE POLICY system ON stream_balancer TO fairway_system USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON stream_balancer TO fairway_app, fairway_system;
