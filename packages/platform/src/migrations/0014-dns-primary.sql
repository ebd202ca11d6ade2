-- Row-level security of tables that hold what belongs to an organisation, in the column organization_id: each sees its own rows, the system sees all.
CREATE FUNCTION keep_to_organization(VARIADIC tables text[]) RETURNS void LANGUAGE plpgsql AS $$ DECLARE t text; BEGIN
  FOREACH t IN ARRAY tables LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY tenant ON %I TO fairway_app USING (organization_id = current_setting(''fairway.organization'')::uuid) WITH CHECK (organization_id = current_setting(''fairway.organization'')::uuid)', t);
    EXECUTE format('CREATE POLICY system ON %I TO fairway_system USING (true) WITH CHECK (true)', t);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO fairway_app, fairway_system', t);
  END LOOP;
END $$;

-- Zones that are kept elsewhere and fetched from there; no row for those that are kept here. See docs/decisions/0018-zones-of-other-primaries.md.
CREATE TABLE site_primary (
  site_id uuid PRIMARY KEY REFERENCES site ON DELETE CASCADE,
  organization_id uuid NOT NULL REFERENCES organization,
  -- `address:port` each, in the order in which they are asked.
  servers jsonb NOT NULL,
  key_name text,
  key_algorithm text,
  secret_sealed text,
  -- `waiting` for the first transfer, `current`, `failing`, `expired`.
  state text NOT NULL DEFAULT 'waiting',
  problem text,
  -- The zone as it was fetched, one entry for each record, the SOA first; null before the first transfer.
  zone jsonb,
  serial bigint,
  refreshed_at timestamptz,
  transferred_at timestamptz,
  noticed_at timestamptz,
  -- Somebody asked for a look: a primary by its notice, or a person.
  asked_at timestamptz NOT NULL DEFAULT now(),
  due_at timestamptz NOT NULL DEFAULT now(),
  leased_until timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ON site_primary (due_at);

SELECT keep_to_organization('site_primary');
