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

ALTER TABLE site_primary ENABLE ROW LEVEL SECURITY;
ALTER TABLE site_primary FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON site_primary TO fairway_app USING (organization_id = current_setting('fairway.organization')::uuid) WITH CHECK (organization_id = current_setting('fairway.organization')::uuid);
CREATE POLICY system ON site_primary TO fairway_system USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON site_primary TO fairway_app, fairway_system;
