-- Measurements that an organisation, or somebody it trusts, posts with a signature.
CREATE TABLE outside_feed (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organization_id uuid NOT NULL REFERENCES organization,
  name text NOT NULL,
  weight_percent int NOT NULL CHECK (weight_percent BETWEEN 0 AND 100),
  enabled boolean NOT NULL,
  key_sealed text NOT NULL,
  -- The key before this one, which is good until then.
  old_key_sealed text,
  old_key_until timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX ON outside_feed (organization_id, lower(name));

ALTER TABLE outside_feed ENABLE ROW LEVEL SECURITY;
ALTER TABLE outside_feed FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON outside_feed TO fairway_app USING (organization_id = current_setting('fairway.organization')::uuid) WITH CHECK (organization_id = current_setting('fairway.organization')::uuid);
CREATE POLICY system ON outside_feed TO fairway_system USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON outside_feed TO fairway_app, fairway_system;
