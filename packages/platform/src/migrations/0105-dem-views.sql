-- Views of DEM analytics that somebody keeps under a name, for themselves.
CREATE TABLE dem_view (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organization_id uuid NOT NULL REFERENCES organization,
  user_id uuid NOT NULL REFERENCES app_user ON DELETE CASCADE,
  name text NOT NULL,
  -- Where the page stands, as its address says it.
  page jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX ON dem_view (user_id, lower(name));

ALTER TABLE dem_view ENABLE ROW LEVEL SECURITY;
ALTER TABLE dem_view FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON dem_view TO fairway_app USING (organization_id = current_setting('fairway.organization')::uuid) WITH CHECK (organization_id = current_setting('fairway.organization')::uuid);
CREATE POLICY system ON dem_view TO fairway_system USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON dem_view TO fairway_app, fairway_system;
