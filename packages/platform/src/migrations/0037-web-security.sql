-- Who may come at all: addresses and places, of one list or the other.
CREATE TABLE access_entry (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organization_id uuid NOT NULL REFERENCES organization,
  site_id uuid NOT NULL REFERENCES site ON DELETE CASCADE,
  domain_id uuid NOT NULL REFERENCES domain ON DELETE CASCADE,
  list text NOT NULL CHECK (list IN ('whitelist', 'blacklist')),
  kind text NOT NULL CHECK (kind IN ('address', 'place')),
  value text NOT NULL,
  -- Empty is any.
  network text NOT NULL DEFAULT '',
  exclude boolean NOT NULL DEFAULT false,
  note text NOT NULL DEFAULT '',
  expires_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  modified_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (domain_id, list, kind, value, network)
);
CREATE INDEX ON access_entry (site_id);

-- Lists of rules that are read from the first to the last. What a rule does depends on its part.
CREATE TABLE security_rule (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organization_id uuid NOT NULL REFERENCES organization,
  site_id uuid NOT NULL REFERENCES site ON DELETE CASCADE,
  domain_id uuid NOT NULL REFERENCES domain ON DELETE CASCADE,
  part text NOT NULL CHECK (part IN ('firewall-rules', 'http-header-rewrite', 'origin-rules')),
  position int NOT NULL,
  name text NOT NULL,
  enabled boolean NOT NULL,
  -- Null is every request.
  expression jsonb,
  does jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  modified_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ON security_rule (site_id);
CREATE INDEX ON security_rule (domain_id, part, position);

-- Whether visitors are asked to show that they are none of a machine's; a domain without a row has the defaults.
CREATE TABLE bot_management (
  id uuid PRIMARY KEY REFERENCES domain ON DELETE CASCADE,
  organization_id uuid NOT NULL REFERENCES organization,
  site_id uuid NOT NULL REFERENCES site ON DELETE CASCADE,
  security_level text NOT NULL CHECK (security_level IN ('under-attack', 'high', 'medium', 'low', 'off')),
  challenge_mode text NOT NULL CHECK (challenge_mode IN ('browser-no-delay', 'browser-standard', 'human')),
  integrity_check text NOT NULL CHECK (integrity_check IN ('off', 'standard', 'strict')),
  clearance_seconds int NOT NULL CHECK (clearance_seconds BETWEEN 300 AND 86400),
  verified_crawlers boolean NOT NULL,
  modified_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ON bot_management (site_id);

DO $$ DECLARE t text; BEGIN
  FOREACH t IN ARRAY ARRAY['access_entry','security_rule','bot_management'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY tenant ON %I TO fairway_app USING (organization_id = current_setting(''fairway.organization'')::uuid) WITH CHECK (organization_id = current_setting(''fairway.organization'')::uuid)', t);
    EXECUTE format('CREATE POLICY system ON %I TO fairway_system USING (true) WITH CHECK (true)', t);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO fairway_app', t);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO fairway_system', t);
  END LOOP;
END $$;
