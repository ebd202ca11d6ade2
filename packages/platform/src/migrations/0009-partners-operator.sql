-- Whoever administers a partner steps into this role: it sees that partner's organisations and nothing else.
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'fairway_partner') THEN CREATE ROLE fairway_partner NOLOGIN; END IF;
  EXECUTE format('GRANT fairway_partner TO %I', current_user);
END $$;

-- A person of a partner: a user of one of its organisations who may look after all of them.
ALTER TABLE app_user ADD COLUMN administers_partner_id uuid REFERENCES partner;

-- Logo, white logo and favicon. Every one was checked when it came in.
CREATE TABLE partner_file (
  partner_id uuid NOT NULL REFERENCES partner ON DELETE CASCADE,
  kind text NOT NULL,
  media_type text NOT NULL,
  body bytea NOT NULL,
  -- Part of the file's address, so that it may be kept for ever.
  digest text NOT NULL,
  modified_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (partner_id, kind)
);

-- Consoles are told to reload while this is on.
ALTER TABLE installation ADD COLUMN new_version boolean NOT NULL DEFAULT false;

-- A node was missed, or is back.
CREATE TABLE node_event (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  node_id uuid NOT NULL REFERENCES node ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('away', 'back')),
  at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ON node_event (at DESC);
CREATE INDEX ON node_event (node_id, id DESC);

CREATE TABLE support_ticket (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organization_id uuid NOT NULL REFERENCES organization ON DELETE CASCADE,
  user_id uuid REFERENCES app_user ON DELETE SET NULL,
  -- What people quote. A help desk outside gives its own.
  number text NOT NULL UNIQUE,
  provider text NOT NULL,
  subject text NOT NULL,
  domain text,
  plan_name text NOT NULL,
  user_label text NOT NULL,
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'answered', 'closed')),
  -- Versions, decisions and requests that the ticket is about; redacted before it is written.
  context jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT now(),
  modified_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ON support_ticket (organization_id, modified_at DESC);
CREATE INDEX ON support_ticket (modified_at DESC);
CREATE SEQUENCE support_ticket_number START 10001;

CREATE TABLE support_message (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organization_id uuid NOT NULL REFERENCES organization ON DELETE CASCADE,
  ticket_id uuid NOT NULL REFERENCES support_ticket ON DELETE CASCADE,
  author text NOT NULL,
  from_support boolean NOT NULL,
  text text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ON support_message (ticket_id, created_at);

-- A customer's own account at a CDN. The secret parts are sealed; nothing reads them back to a person.
CREATE TABLE byo_cdn_key (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organization_id uuid NOT NULL REFERENCES organization ON DELETE CASCADE,
  platform text NOT NULL,
  name text NOT NULL,
  fields jsonb NOT NULL,
  sealed text NOT NULL,
  -- Recognises the same key without knowing it.
  fingerprint text NOT NULL,
  tested_at timestamptz,
  -- Null with a tested_at: the vendor has let us in.
  test_problem text,
  created_at timestamptz NOT NULL DEFAULT now(),
  modified_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, fingerprint)
);

DO $$ DECLARE t text; BEGIN
  FOREACH t IN ARRAY ARRAY['support_ticket', 'support_message', 'byo_cdn_key'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY tenant ON %I TO fairway_app USING (organization_id = current_setting(''fairway.organization'')::uuid) WITH CHECK (organization_id = current_setting(''fairway.organization'')::uuid)', t);
    EXECUTE format('CREATE POLICY system ON %I TO fairway_system USING (true) WITH CHECK (true)', t);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO fairway_app, fairway_system', t);
  END LOOP;
  -- What a partner's people see follows from its organisations; the inner query is under their own policy.
  FOREACH t IN ARRAY ARRAY['app_user', 'site', 'audit_log', 'support_ticket', 'support_message'] LOOP
    EXECUTE format('CREATE POLICY partner ON %I TO fairway_partner USING (organization_id IN (SELECT id FROM organization)) WITH CHECK (organization_id IN (SELECT id FROM organization))', t);
  END LOOP;
END $$;
CREATE POLICY partner ON organization TO fairway_partner USING (partner_id = current_setting('fairway.partner')::uuid) WITH CHECK (partner_id = current_setting('fairway.partner')::uuid);
-- Links that open a session as somebody of their organisations; other tokens are none of their business.
CREATE POLICY partner ON app_token FOR INSERT TO fairway_partner WITH CHECK (purpose = 'login-as' AND organization_id IN (SELECT id FROM organization));

GRANT USAGE ON SCHEMA public TO fairway_partner;
GRANT SELECT ON organization, app_user, site, audit_log, support_ticket, support_message, plan, partner, installation TO fairway_partner;
GRANT UPDATE (suspended, plan_id, code) ON organization TO fairway_partner;
GRANT UPDATE (suspended) ON app_user TO fairway_partner;
GRANT UPDATE (state, modified_at) ON support_ticket TO fairway_partner;
GRANT INSERT ON audit_log, app_token, support_message TO fairway_partner;
GRANT SELECT, INSERT, UPDATE, DELETE ON partner_file, node_event TO fairway_system;
GRANT SELECT ON partner_file TO fairway_app;
GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO fairway_app, fairway_system, fairway_partner;

UPDATE plan SET ability = ability || '{byoCdn.enable}'::text[] WHERE id = 'enterprise';
