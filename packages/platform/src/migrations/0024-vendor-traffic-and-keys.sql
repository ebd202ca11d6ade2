-- How far what a vendor's CDN has served for a domain was read from the vendor; begins when the CDN is operational for the first time, and is gone with it.
CREATE TABLE vendor_traffic (
  domain_cdn_id uuid PRIMARY KEY REFERENCES domain_cdn ON DELETE CASCADE,
  organization_id uuid NOT NULL REFERENCES organization,
  -- Rows of one account share its limits: the customer's key, or the vendor's name for the operator's.
  account text NOT NULL,
  -- Buckets that begin before this have been read; the newest of them may still be corrected.
  read_until timestamptz NOT NULL DEFAULT now(),
  -- When corrections were last looked for as far back as the vendor makes them.
  settled_at timestamptz,
  due_at timestamptz NOT NULL DEFAULT now(),
  attempts int NOT NULL DEFAULT 0,
  problem text,
  problem_since timestamptz,
  leased_until timestamptz
);
CREATE INDEX ON vendor_traffic (due_at);
SELECT keep_to_organization('vendor_traffic');

CREATE FUNCTION read_vendor_traffic() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO vendor_traffic (domain_cdn_id, organization_id, account)
    SELECT NEW.id, NEW.organization_id, coalesce(c.byo_key_id::text, c.driver) FROM cdn c
    WHERE c.organization_id = NEW.organization_id AND c.id = NEW.cdn_id AND NEW.vendor_ref IS NOT NULL ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
-- However a CDN becomes operational, its traffic is read from then on.
CREATE TRIGGER read_vendor_traffic AFTER INSERT OR UPDATE OF state ON domain_cdn FOR EACH ROW WHEN (NEW.state = 'operational') EXECUTE FUNCTION read_vendor_traffic();
INSERT INTO vendor_traffic (domain_cdn_id, organization_id, account, read_until)
  SELECT dc.id, dc.organization_id, coalesce(c.byo_key_id::text, c.driver), dc.created_at FROM domain_cdn dc JOIN cdn c ON c.organization_id = dc.organization_id AND c.id = dc.cdn_id
  WHERE dc.vendor_ref IS NOT NULL AND dc.state = 'operational';

-- The operator's keys at vendors may be stored here, secrets sealed; without one the key is that of the settings.
ALTER TABLE managed_vendor
  ADD COLUMN fields jsonb,
  ADD COLUMN sealed text,
  ADD COLUMN tested_at timestamptz,
  -- Null with a tested_at: the vendor has let us in.
  ADD COLUMN test_problem text,
  ADD COLUMN modified_at timestamptz NOT NULL DEFAULT now(),
  ADD CHECK ((fields IS NULL) = (sealed IS NULL));
REVOKE SELECT ON managed_vendor FROM fairway_app;
GRANT SELECT (platform, name, category, series) ON managed_vendor TO fairway_app;
