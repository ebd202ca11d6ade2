-- Partners (resellers): who is served under which host name, and how it looks there. The one without a host name is the installation's own brand.
CREATE TABLE partner (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  acronym text NOT NULL UNIQUE,
  host_name text UNIQUE,
  company_name text NOT NULL,
  contact_email text,
  sender_address text,
  brand_color text NOT NULL,
  terms_link text,
  privacy_policy_link text,
  api_document_url text NOT NULL DEFAULT '/openapi.json',
  hide_feature text[] NOT NULL DEFAULT '{}',
  ignore_maintenance_mode boolean NOT NULL DEFAULT false,
  support_signup boolean NOT NULL DEFAULT true,
  signup_phone boolean NOT NULL DEFAULT false,
  sandbox_mode boolean NOT NULL DEFAULT false,
  additional jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT now(),
  modified_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX ON partner ((host_name IS NULL)) WHERE host_name IS NULL;
INSERT INTO partner (acronym, company_name, brand_color) VALUES ('fairway', 'Fairway', '#3a5bff');

-- Switches of the whole installation; one row.
CREATE TABLE installation (
  id int PRIMARY KEY CHECK (id = 1),
  maintenance_mode boolean NOT NULL DEFAULT false,
  -- What a maintenance page says besides the fixed text; by language.
  maintenance_text jsonb NOT NULL DEFAULT '{}',
  modified_at timestamptz NOT NULL DEFAULT now()
);
INSERT INTO installation (id) VALUES (1);

ALTER TABLE organization
  ADD COLUMN partner_id uuid REFERENCES partner,
  -- `active`, `payment_failed` or `locked`; people see what it means on the billing page.
  ADD COLUMN status text NOT NULL DEFAULT 'active',
  ADD COLUMN industry text,
  ADD COLUMN job_title text,
  -- Null until the owner has chosen: the console leads there.
  ADD COLUMN plan_chosen_at timestamptz,
  ADD COLUMN aws_customer_id text UNIQUE;
UPDATE organization SET partner_id = (SELECT id FROM partner WHERE host_name IS NULL), plan_chosen_at = created_at;
ALTER TABLE organization ALTER COLUMN partner_id SET NOT NULL;
CREATE INDEX ON organization (partner_id);

ALTER TABLE app_user
  ADD COLUMN email_verified_at timestamptz,
  ADD COLUMN mfa_enabled boolean NOT NULL DEFAULT false,
  ADD COLUMN menu_order text NOT NULL DEFAULT 'default';
UPDATE app_user SET email_verified_at = created_at;

-- Somebody of the operator or the partner who looks on as this user; every action is told as theirs for the user.
ALTER TABLE session ADD COLUMN impostor text;
ALTER TABLE audit_log ADD COLUMN impostor text;

-- Letters: written with the change that they tell of, delivered by the worker. Without a mail server they stay here, for the operator to read.
CREATE TABLE mail_message (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organization_id uuid REFERENCES organization ON DELETE CASCADE,
  partner_id uuid NOT NULL REFERENCES partner,
  to_address text NOT NULL,
  template text NOT NULL,
  locale text NOT NULL,
  -- What the template is filled with.
  fields jsonb NOT NULL,
  -- `waiting`, `sent`, `kept` (no mail server is set), `failed`.
  state text NOT NULL DEFAULT 'waiting',
  attempts int NOT NULL DEFAULT 0,
  problem text,
  due_at timestamptz NOT NULL DEFAULT now(),
  created_at timestamptz NOT NULL DEFAULT now(),
  sent_at timestamptz
);
CREATE INDEX ON mail_message (due_at) WHERE state = 'waiting';
CREATE INDEX ON mail_message (created_at DESC);

ALTER TABLE mail_message ENABLE ROW LEVEL SECURITY;
ALTER TABLE mail_message FORCE ROW LEVEL SECURITY;
-- An organisation writes letters and reads none: they hold links that are the receiver's alone.
CREATE POLICY tenant ON mail_message FOR INSERT TO fairway_app WITH CHECK (organization_id = current_setting('fairway.organization')::uuid);
CREATE POLICY system ON mail_message TO fairway_system USING (true) WITH CHECK (true);
GRANT INSERT ON mail_message TO fairway_app;
GRANT SELECT ON partner, installation TO fairway_app;
GRANT UPDATE ON organization TO fairway_app;
CREATE POLICY tenant_changes ON organization FOR UPDATE TO fairway_app USING (id = current_setting('fairway.organization')::uuid) WITH CHECK (id = current_setting('fairway.organization')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON partner, installation, mail_message TO fairway_system;
