-- Videos and live streams whose viewers pass segments to each other. `stopped` says why and by which figures it was
-- switched off by itself; only its owner switches it on again.
CREATE TABLE stream_peers (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organization_id uuid NOT NULL REFERENCES organization,
  asset_id uuid UNIQUE REFERENCES stream_asset ON DELETE CASCADE,
  live_id uuid UNIQUE REFERENCES stream_live ON DELETE CASCADE,
  is_on boolean NOT NULL DEFAULT false,
  with_signed boolean NOT NULL DEFAULT false,
  on_since timestamptz,
  stopped jsonb,
  CHECK ((asset_id IS NULL) <> (live_id IS NULL))
);
CREATE INDEX ON stream_peers (organization_id) WHERE is_on;

ALTER TABLE stream_peers ENABLE ROW LEVEL SECURITY;
ALTER TABLE stream_peers FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON stream_peers TO fairway_app USING (organization_id = current_setting('fairway.organization')::uuid) WITH CHECK (organization_id = current_setting('fairway.organization')::uuid);
CREATE POLICY system ON stream_peers TO fairway_system USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON stream_peers TO fairway_app, fairway_system;
