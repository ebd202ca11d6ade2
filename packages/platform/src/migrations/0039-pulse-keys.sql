-- Whose pages may send beacons (empty: any), when the key was made, and whether the larger object is measured.
ALTER TABLE pulse
  ADD COLUMN hosts text[] NOT NULL DEFAULT '{}',
  ADD COLUMN throughput boolean NOT NULL DEFAULT true,
  ADD COLUMN key_since timestamptz NOT NULL DEFAULT now();

-- Keys that were replaced: pages that still carry one are heard until it ends.
CREATE TABLE pulse_old_key (
  key text PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organization,
  created_at timestamptz NOT NULL,
  ends_at timestamptz NOT NULL
);
CREATE INDEX ON pulse_old_key (organization_id);

ALTER TABLE pulse_old_key ENABLE ROW LEVEL SECURITY;
ALTER TABLE pulse_old_key FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON pulse_old_key TO fairway_app USING (organization_id = current_setting('fairway.organization')::uuid) WITH CHECK (organization_id = current_setting('fairway.organization')::uuid);
CREATE POLICY system ON pulse_old_key TO fairway_system USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON pulse_old_key TO fairway_app, fairway_system;
