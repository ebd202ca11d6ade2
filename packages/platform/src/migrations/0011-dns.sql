-- Share of answers of one record among those of its name and type; null without weighted round robin.
ALTER TABLE dns_record ADD COLUMN weight int;

-- Where a site is on its way to being signed, and back; no row for one that never was. See docs/decisions/0012-dnssec.md.
CREATE TABLE site_dnssec (
  site_id uuid PRIMARY KEY REFERENCES site ON DELETE CASCADE,
  organization_id uuid NOT NULL REFERENCES organization,
  -- `waiting` for the parent's DS, `secured`, `withdrawing` it.
  state text NOT NULL,
  state_since timestamptz NOT NULL DEFAULT now(),
  -- What the parent said last: its DS records, their lifetime, and since when there are none.
  parent_ds jsonb NOT NULL DEFAULT '[]',
  ds_ttl_seconds int NOT NULL DEFAULT 86400,
  ds_absent_since timestamptz,
  checked_at timestamptz,
  problem text,
  due_at timestamptz NOT NULL DEFAULT now(),
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ON site_dnssec (due_at);

CREATE TABLE zone_key (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organization_id uuid NOT NULL REFERENCES organization,
  site_id uuid NOT NULL REFERENCES site ON DELETE CASCADE,
  tag int NOT NULL,
  -- 64 bytes in base64; the private key is PKCS #8, sealed with the installation's key.
  public_key text NOT NULL,
  private_key_sealed text NOT NULL,
  -- `published` before it is used, `active`, `retired` while old signatures are still in caches.
  state text NOT NULL,
  state_since timestamptz NOT NULL DEFAULT now(),
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX ON zone_key (site_id) WHERE state = 'active';
CREATE INDEX ON zone_key (site_id);

-- Name servers of others that take an organisation's zones.
CREATE TABLE dns_secondary (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organization_id uuid NOT NULL REFERENCES organization,
  name text NOT NULL,
  -- `host:port` that is told of changes; null when it asks by itself.
  notify text,
  key_name text NOT NULL UNIQUE,
  secret_sealed text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, name)
);

DO $$ DECLARE t text; BEGIN
  FOREACH t IN ARRAY ARRAY['site_dnssec', 'zone_key', 'dns_secondary'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY tenant ON %I TO fairway_app USING (organization_id = current_setting(''fairway.organization'')::uuid) WITH CHECK (organization_id = current_setting(''fairway.organization'')::uuid)', t);
    EXECUTE format('CREATE POLICY system ON %I TO fairway_system USING (true) WITH CHECK (true)', t);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO fairway_app', t);
  END LOOP;
END $$;
GRANT SELECT, INSERT, UPDATE, DELETE ON site_dnssec, zone_key, dns_secondary TO fairway_system;
