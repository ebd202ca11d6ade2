-- Networks from which an account was signed in to: wrong passwords of others do not keep it out from there. Keyed hashes,
-- the newest few of each account.
CREATE TABLE sign_in_place (
  user_id uuid NOT NULL REFERENCES app_user ON DELETE CASCADE,
  organization_id uuid NOT NULL REFERENCES organization ON DELETE CASCADE,
  place_hash text NOT NULL,
  seen_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, place_hash)
);
CREATE INDEX ON sign_in_place (organization_id);

ALTER TABLE sign_in_place ENABLE ROW LEVEL SECURITY;
ALTER TABLE sign_in_place FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON sign_in_place TO fairway_app USING (organization_id = current_setting('fairway.organization')::uuid) WITH CHECK (organization_id = current_setting('fairway.organization')::uuid);
CREATE POLICY system ON sign_in_place TO fairway_system USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON sign_in_place TO fairway_app, fairway_system;
