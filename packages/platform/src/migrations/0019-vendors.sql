-- A vendor's CDN: reached with a customer's own key, or with the operator's when there is none.
ALTER TABLE cdn ADD COLUMN byo_key_id uuid REFERENCES byo_cdn_key;
CREATE INDEX ON cdn (byo_key_id) WHERE byo_key_id IS NOT NULL;

-- What a vendor has made for a row and the name that it gave it, which certificate it was given last, and what it wants to see in DNS.
ALTER TABLE domain_cdn ADD COLUMN vendor_ref text;
ALTER TABLE domain_cdn ADD COLUMN vendor_cname text;
ALTER TABLE domain_cdn ADD COLUMN vendor_certificate text;
ALTER TABLE domain_cdn ADD COLUMN vendor_certificate_at timestamptz;
ALTER TABLE domain_cdn ADD COLUMN vendor_records jsonb;

-- What a vendor calls a purge that it was told of.
ALTER TABLE purge_receipt ADD COLUMN vendor_ref text;

-- Vendors that the operator has keys for, as the settings say; every organisation may attach their CDNs. The keys themselves are not here.
CREATE TABLE managed_vendor (
  platform text PRIMARY KEY,
  name text NOT NULL,
  category text NOT NULL,
  series int NOT NULL
);
GRANT SELECT ON managed_vendor TO fairway_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON managed_vendor TO fairway_system;
