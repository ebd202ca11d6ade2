-- Accounts at certificate authorities, one an authority; the key is sealed.
CREATE TABLE acme_account (
  authority text PRIMARY KEY,
  directory text NOT NULL,
  url text NOT NULL,
  sealed_key text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE certificate (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organization_id uuid NOT NULL REFERENCES organization ON DELETE CASCADE,
  site_id uuid NOT NULL REFERENCES site ON DELETE CASCADE,
  type text NOT NULL,
  names text[] NOT NULL,
  -- What is served: empty until there is one. The key is sealed.
  chain_pem text,
  sealed_key text,
  details jsonb,
  not_after timestamptz,
  imported_at timestamptz,
  -- The order under way; it survives a restart at any step. `order_key` becomes `sealed_key` when the certificate is there.
  step text,
  order_url text,
  order_key text,
  order_began_at timestamptz,
  wanted_version int,
  problem text,
  -- `waiting`: the authority said when to come again. `failed`: given up until somebody asks.
  hindrance text,
  attempts int NOT NULL DEFAULT 0,
  next_attempt_at timestamptz,
  leased_until timestamptz,
  -- The shortest term before the end at which people were told: 30, 14, 7 or 1 days, 0 when it has expired.
  told_days int,
  removed_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ON certificate (site_id);
CREATE INDEX ON certificate (next_attempt_at) WHERE next_attempt_at IS NOT NULL;

-- What the zone answers under `_acme-challenge` while an order is validated (RFC 8555 8.4).
CREATE TABLE acme_challenge (
  organization_id uuid NOT NULL REFERENCES organization ON DELETE CASCADE,
  site_id uuid NOT NULL REFERENCES site ON DELETE CASCADE,
  certificate_id uuid NOT NULL REFERENCES certificate ON DELETE CASCADE,
  name text NOT NULL,
  value text NOT NULL,
  PRIMARY KEY (certificate_id, name, value)
);
CREATE INDEX ON acme_challenge (site_id);

DO $$ DECLARE t text; BEGIN
  FOREACH t IN ARRAY ARRAY['certificate', 'acme_challenge'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY tenant ON %I TO fairway_app USING (organization_id = current_setting(''fairway.organization'')::uuid) WITH CHECK (organization_id = current_setting(''fairway.organization'')::uuid)', t);
    EXECUTE format('CREATE POLICY system ON %I TO fairway_system USING (true) WITH CHECK (true)', t);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO fairway_app', t);
  END LOOP;
END $$;
GRANT SELECT, INSERT, UPDATE, DELETE ON certificate, acme_challenge, acme_account TO fairway_system;
