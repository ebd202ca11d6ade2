-- Public keys that tokens of videos are signed with; the private ones are with the customer alone.
CREATE TABLE stream_signing_key (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organization_id uuid NOT NULL REFERENCES organization,
  -- Of the organisation, never given twice.
  serial int NOT NULL,
  -- The beginning of the SHA-256 of the public key: the same key has the same name everywhere.
  key_id text NOT NULL,
  -- SubjectPublicKeyInfo, DER in base64.
  public_key text NOT NULL,
  is_own boolean NOT NULL,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, serial),
  UNIQUE (organization_id, key_id)
);
-- Whether the videos of an organisation need a token, and how many keys it has ever had.
CREATE TABLE stream_signing (
  organization_id uuid PRIMARY KEY REFERENCES organization,
  is_on boolean NOT NULL DEFAULT false,
  last_serial int NOT NULL DEFAULT 0
);

ALTER TABLE stream_signing_key ENABLE ROW LEVEL SECURITY;
ALTER TABLE stream_signing_key FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON stream_signing_key TO fairway_app USING (organization_id = current_setting('fairway.organization')::uuid) WITH CHECK (organization_id = current_setting('fairway.organization')::uuid);
CREATE POLICY system ON stream_signing_key TO fairway_system USING (true) WITH CHECK (true);
ALTER TABLE stream_signing ENABLE ROW LEVEL SECURITY;
ALTER TABLE stream_signing FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON stream_signing TO fairway_app USING (organization_id = current_setting('fairway.organization')::uuid) WITH CHECK (organization_id = current_setting('fairway.organization')::uuid);
CREATE POLICY system ON stream_signing TO fairway_system USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON stream_signing_key, stream_signing TO fairway_app, fairway_system;
