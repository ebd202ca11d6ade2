-- Work that the worker does for a site: its scan, the comparison with the old nameservers, the check of its delegation. One row a kind, so that it survives a restart.
CREATE TABLE site_task (
  organization_id uuid NOT NULL REFERENCES organization,
  site_id uuid NOT NULL REFERENCES site ON DELETE CASCADE,
  kind text NOT NULL,
  state text NOT NULL DEFAULT 'waiting',
  problem text,
  progress jsonb NOT NULL DEFAULT '{}',
  result jsonb NOT NULL DEFAULT '{}',
  requested_at timestamptz NOT NULL DEFAULT now(),
  due_at timestamptz NOT NULL DEFAULT now(),
  started_at timestamptz,
  finished_at timestamptz,
  leased_until timestamptz,
  PRIMARY KEY (site_id, kind)
);
CREATE INDEX ON site_task (due_at) WHERE state IN ('waiting', 'running');

-- Records of a draft that wait for their review.
CREATE TABLE found_record (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organization_id uuid NOT NULL REFERENCES organization,
  site_id uuid NOT NULL REFERENCES site ON DELETE CASCADE,
  type text NOT NULL,
  name text NOT NULL,
  value text NOT NULL,
  preference int,
  ttl_seconds int,
  old_ttl_seconds int,
  found_by text NOT NULL,
  chosen boolean NOT NULL DEFAULT true,
  multi_cdn boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX ON found_record (site_id, name, type, md5(value), coalesce(preference, -1));

DO $$ DECLARE t text; BEGIN
  FOREACH t IN ARRAY ARRAY['site_task', 'found_record'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY tenant ON %I TO fairway_app USING (organization_id = current_setting(''fairway.organization'')::uuid) WITH CHECK (organization_id = current_setting(''fairway.organization'')::uuid)', t);
    EXECUTE format('CREATE POLICY system ON %I TO fairway_system USING (true) WITH CHECK (true)', t);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO fairway_app', t);
  END LOOP;
END $$;
GRANT SELECT, INSERT, UPDATE, DELETE ON site_task, found_record TO fairway_system;
