-- What requests are held against of the rule set, by domain; a domain without a row has the defaults.
CREATE TABLE crs_rules (
  id uuid PRIMARY KEY REFERENCES domain ON DELETE CASCADE,
  organization_id uuid NOT NULL REFERENCES organization,
  site_id uuid NOT NULL REFERENCES site ON DELETE CASCADE,
  -- Level, threshold, sets, bodies: what was said, the rest is default.
  settings jsonb NOT NULL DEFAULT '{}',
  -- Of rules that differ: {"942100": {"enabled": true, "action": "simulate"}}.
  rules jsonb NOT NULL DEFAULT '{}',
  exclusions jsonb NOT NULL DEFAULT '[]',
  modified_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ON crs_rules (site_id);

ALTER TABLE crs_rules ENABLE ROW LEVEL SECURITY;
ALTER TABLE crs_rules FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON crs_rules TO fairway_app USING (organization_id = current_setting('fairway.organization')::uuid) WITH CHECK (organization_id = current_setting('fairway.organization')::uuid);
CREATE POLICY system ON crs_rules TO fairway_system USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON crs_rules TO fairway_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON crs_rules TO fairway_system;
