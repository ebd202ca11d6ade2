-- The schema of a domain's API: what was decided, which versions keep; and what was learned, which they do not.
CREATE TABLE api_schema (
  id uuid PRIMARY KEY REFERENCES domain ON DELETE CASCADE,
  organization_id uuid NOT NULL REFERENCES organization,
  site_id uuid NOT NULL REFERENCES site ON DELETE CASCADE,
  learning boolean NOT NULL DEFAULT false,
  paths jsonb NOT NULL DEFAULT '["/*"]',
  mode text NOT NULL DEFAULT 'off' CHECK (mode IN ('off', 'simulate', 'block')),
  -- In force; null is none.
  endpoints jsonb,
  in_force_since timestamptz,
  -- Ids of endpoints that are left out.
  ignored jsonb NOT NULL DEFAULT '[]',
  modified_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ON api_schema (site_id);

CREATE TABLE api_schema_learned (
  id uuid PRIMARY KEY REFERENCES domain ON DELETE CASCADE,
  organization_id uuid NOT NULL REFERENCES organization,
  site_id uuid NOT NULL REFERENCES site ON DELETE CASCADE,
  -- JSON, of bounded length. Not jsonb: it is read and written whole only.
  learned text NOT NULL,
  -- The last request that was learned from: epoch ms, and its id.
  cursor_at bigint NOT NULL,
  cursor_id text NOT NULL,
  -- When what was learned before could not be read.
  relearned_at timestamptz,
  modified_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ON api_schema_learned (site_id);

DO $$ DECLARE t text; BEGIN
  FOREACH t IN ARRAY ARRAY['api_schema','api_schema_learned'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY tenant ON %I TO fairway_app USING (organization_id = current_setting(''fairway.organization'')::uuid) WITH CHECK (organization_id = current_setting(''fairway.organization'')::uuid)', t);
    EXECUTE format('CREATE POLICY system ON %I TO fairway_system USING (true) WITH CHECK (true)', t);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO fairway_system', t);
  END LOOP;
END $$;
GRANT SELECT, INSERT, UPDATE, DELETE ON api_schema TO fairway_app;
GRANT SELECT ON api_schema_learned TO fairway_app;
