-- The names that a partner's customers see in place of the installation's: zone of nameservers (partner.service_domain), zone of CDN names, sender of letters.
ALTER TABLE partner
  ADD COLUMN cname_host text UNIQUE,
  -- From when each is given out: everything about it was seen right, and nothing wrong since.
  ADD COLUMN own_cname_since timestamptz,
  ADD COLUMN sender_name text,
  ADD COLUMN own_sender_since timestamptz,
  ADD COLUMN checks_asked_at timestamptz NOT NULL DEFAULT now(),
  ADD COLUMN checks_due_at timestamptz NOT NULL DEFAULT now();

-- A zone that our nodes answer for a partner. It stays while an organisation has names in it, also when the partner has taken others since.
CREATE TABLE partner_zone (
  name text PRIMARY KEY,
  partner_id uuid NOT NULL REFERENCES partner ON DELETE CASCADE,
  served_since timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ON partner_zone (partner_id);

-- Where an organisation's nameserver names are taken from, settled together with its pair; null is the service domain.
ALTER TABLE organization ADD COLUMN names_zone text;

-- What was seen of each DNS record that a partner has to set.
CREATE TABLE partner_check (
  partner_id uuid NOT NULL REFERENCES partner ON DELETE CASCADE,
  record text NOT NULL,
  -- What had to be there, so that another wish is not judged by an old look.
  wanted text NOT NULL,
  state text NOT NULL CHECK (state IN ('unknown', 'missing', 'wrong', 'good')),
  seen text[] NOT NULL,
  checked_at timestamptz NOT NULL,
  PRIMARY KEY (partner_id, record)
);

-- The key that signs a partner's letters (DKIM); the secret part is sealed.
CREATE TABLE partner_dkim (
  partner_id uuid PRIMARY KEY REFERENCES partner ON DELETE CASCADE,
  -- Counts the keys there were: each has a selector of its own.
  number int NOT NULL DEFAULT 1,
  public_key text NOT NULL,
  sealed text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);

DO $$ DECLARE t text; BEGIN
  FOREACH t IN ARRAY ARRAY['partner_zone', 'partner_check', 'partner_dkim'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY system ON %I TO fairway_system USING (true) WITH CHECK (true)', t);
    EXECUTE format('CREATE POLICY partner ON %I TO fairway_partner USING (partner_id = current_setting(''fairway.partner'')::uuid)', t);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO fairway_system', t);
  END LOOP;
END $$;
GRANT SELECT ON partner_zone, partner_check TO fairway_partner;
GRANT SELECT (partner_id, number, public_key, created_at) ON partner_dkim TO fairway_partner;

-- A partner's people see and change their own partner only.
ALTER TABLE partner ENABLE ROW LEVEL SECURITY;
ALTER TABLE partner FORCE ROW LEVEL SECURITY;
CREATE POLICY system ON partner TO fairway_system USING (true) WITH CHECK (true);
CREATE POLICY tenant ON partner FOR SELECT TO fairway_app USING (true);
CREATE POLICY partner ON partner TO fairway_partner USING (id = current_setting('fairway.partner')::uuid) WITH CHECK (id = current_setting('fairway.partner')::uuid);
GRANT UPDATE (service_domain, cname_host, sender_address, sender_name, own_names_since, own_cname_since, own_sender_since, checks_asked_at, checks_due_at) ON partner TO fairway_partner;
