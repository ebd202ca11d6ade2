-- What secondaries are given of a zone beside its records, kept by the worker.
CREATE TABLE zone_transfer (
  site_id uuid PRIMARY KEY REFERENCES site ON DELETE CASCADE,
  organization_id uuid NOT NULL REFERENCES organization,
  -- How often that has changed: the serial is the version and this.
  steps int NOT NULL DEFAULT 0,
  -- Addresses of names that can only be given flattened: [{name, a, aaaa}].
  flattened jsonb NOT NULL DEFAULT '[]',
  -- Those of them whose addresses are not known yet: until then nothing of the zone is given.
  withheld text[] NOT NULL DEFAULT '{}'
);
CREATE INDEX ON zone_transfer (organization_id);
ALTER TABLE zone_transfer ENABLE ROW LEVEL SECURITY;
ALTER TABLE zone_transfer FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON zone_transfer TO fairway_app USING (organization_id = current_setting('fairway.organization')::uuid) WITH CHECK (organization_id = current_setting('fairway.organization')::uuid);
CREATE POLICY system ON zone_transfer TO fairway_system USING (true) WITH CHECK (true);
GRANT SELECT ON zone_transfer TO fairway_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON zone_transfer TO fairway_system;
