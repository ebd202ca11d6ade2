-- Where each place is sent, and since when: a row for every time that this changed, with what changed it.
CREATE TABLE route_change (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organization,
  site_id uuid NOT NULL REFERENCES site ON DELETE CASCADE,
  domain_id uuid NOT NULL REFERENCES domain ON DELETE CASCADE,
  place text NOT NULL,
  at timestamptz NOT NULL,
  shares jsonb NOT NULL,
  strategy_id text,
  cause jsonb NOT NULL
);
CREATE INDEX route_change_place ON route_change (domain_id, place, at DESC);
CREATE INDEX route_change_at ON route_change (at);
ALTER TABLE route_change ENABLE ROW LEVEL SECURITY;
ALTER TABLE route_change FORCE ROW LEVEL SECURITY;
CREATE POLICY system ON route_change TO fairway_system USING (true) WITH CHECK (true);
CREATE POLICY tenant ON route_change TO fairway_app USING (organization_id = current_setting('fairway.organization')::uuid) WITH CHECK (organization_id = current_setting('fairway.organization')::uuid);
GRANT SELECT ON route_change TO fairway_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON route_change TO fairway_system;
