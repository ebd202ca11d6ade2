-- Under the names that a partner's console had before, it is still the partner's: nobody who comes there becomes a
-- customer of the house, and nobody else gets the name.
CREATE TABLE partner_former_host (
  host_name text PRIMARY KEY,
  partner_id uuid NOT NULL REFERENCES partner ON DELETE CASCADE,
  since timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ON partner_former_host (partner_id);
ALTER TABLE partner_former_host ENABLE ROW LEVEL SECURITY;
ALTER TABLE partner_former_host FORCE ROW LEVEL SECURITY;
CREATE POLICY system ON partner_former_host TO fairway_system USING (true) WITH CHECK (true);
CREATE POLICY tenant ON partner_former_host FOR SELECT TO fairway_app USING (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON partner_former_host TO fairway_system;
GRANT SELECT ON partner_former_host TO fairway_app;
-- How many passkeys end with a name.
CREATE INDEX ON passkey (relying_party);

-- Google sends people back only to addresses that were registered there: those of partners are asked about one by one.
-- Where somebody has come by Google it was.
ALTER TABLE partner ADD COLUMN google_sign_in boolean NOT NULL DEFAULT false;
UPDATE partner p SET google_sign_in = true WHERE p.host_name IS NULL
  OR EXISTS (SELECT FROM user_identity i JOIN organization o ON o.id = i.organization_id WHERE o.partner_id = p.id);
