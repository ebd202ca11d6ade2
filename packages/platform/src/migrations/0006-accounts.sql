-- Who came by another door has no password until they set one: invited people, and those who sign in with Google.
ALTER TABLE app_user
  ALTER COLUMN password_hash DROP NOT NULL,
  ADD COLUMN country_code text,
  ADD COLUMN timezone_code text,
  ADD COLUMN phone_code text,
  ADD COLUMN phone_number text;

-- What is handed out once and comes back once: links of letters, tickets of the second step, captchas, challenges. Only hashes are kept.
CREATE TABLE app_token (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organization_id uuid REFERENCES organization ON DELETE CASCADE,
  user_id uuid REFERENCES app_user ON DELETE CASCADE,
  purpose text NOT NULL,
  token_hash text NOT NULL UNIQUE,
  data jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  used_at timestamptz
);
CREATE INDEX ON app_token (user_id, purpose);
CREATE INDEX ON app_token (expires_at);

-- Failures are counted before they are known to be ones, so that guessing in parallel gains nothing; they are forgotten an hour after the first.
ALTER TABLE login_attempt ADD COLUMN counted_since timestamptz NOT NULL DEFAULT now();

-- A session ends when nobody uses it for `idle_seconds`, and at `expires_at` in any case.
ALTER TABLE session
  ADD COLUMN last_seen_at timestamptz NOT NULL DEFAULT now(),
  ADD COLUMN idle_seconds int NOT NULL DEFAULT 1209600;
CREATE INDEX ON session (user_id);

-- The secret is sealed. `confirmed_at` is null until its first code was right; `last_step` stops a code from being used twice.
CREATE TABLE totp (
  user_id uuid PRIMARY KEY REFERENCES app_user ON DELETE CASCADE,
  organization_id uuid NOT NULL REFERENCES organization,
  secret text NOT NULL,
  confirmed_at timestamptz,
  last_step bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE recovery_code (
  user_id uuid NOT NULL REFERENCES app_user ON DELETE CASCADE,
  organization_id uuid NOT NULL REFERENCES organization,
  code_hash text NOT NULL,
  used_at timestamptz,
  PRIMARY KEY (user_id, code_hash)
);

CREATE TABLE passkey (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organization_id uuid NOT NULL REFERENCES organization,
  user_id uuid NOT NULL REFERENCES app_user ON DELETE CASCADE,
  credential_id text NOT NULL UNIQUE,
  public_key bytea NOT NULL,
  counter bigint NOT NULL,
  transports text[] NOT NULL,
  name text NOT NULL,
  -- Host name that it was made for; a browser offers it there only.
  relying_party text NOT NULL,
  backed_up boolean NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz
);
CREATE INDEX ON passkey (user_id);

-- Who a user is at an OpenID provider.
CREATE TABLE user_identity (
  issuer text NOT NULL,
  subject text NOT NULL,
  organization_id uuid NOT NULL REFERENCES organization,
  user_id uuid NOT NULL REFERENCES app_user ON DELETE CASCADE,
  email text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (issuer, subject)
);
CREATE INDEX ON user_identity (user_id);

CREATE TABLE api_key (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organization_id uuid NOT NULL REFERENCES organization,
  user_id uuid NOT NULL REFERENCES app_user ON DELETE CASCADE,
  name text NOT NULL,
  tier int NOT NULL CHECK (tier BETWEEN 1 AND 4),
  -- The first characters, to recognise it by.
  prefix text NOT NULL,
  secret_hash text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz,
  last_used_at timestamptz,
  last_used_ip text
);
CREATE INDEX ON api_key (user_id);

DO $$ DECLARE t text; BEGIN
  FOREACH t IN ARRAY ARRAY['app_token', 'totp', 'recovery_code', 'passkey', 'user_identity', 'api_key'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY tenant ON %I TO fairway_app USING (organization_id = current_setting(''fairway.organization'')::uuid) WITH CHECK (organization_id = current_setting(''fairway.organization'')::uuid)', t);
    EXECUTE format('CREATE POLICY system ON %I TO fairway_system USING (true) WITH CHECK (true)', t);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO fairway_app', t);
  END LOOP;
END $$;
GRANT SELECT, INSERT, UPDATE, DELETE ON app_token, totp, recovery_code, passkey, user_identity, api_key TO fairway_system;
