-- A name may be claimed by several organisations, each by a site of its own; at most one of them is served.
ALTER TABLE site DROP CONSTRAINT site_domain_name_key;
ALTER TABLE site ADD UNIQUE (organization_id, domain_name);
ALTER TABLE domain DROP CONSTRAINT domain_name_key;
ALTER TABLE domain ADD UNIQUE (organization_id, name);
CREATE INDEX ON domain (name);

-- Positions in the set of nameservers. An organisation's is drawn when its first site is added; a site has its own where others have or had that pair for its name.
ALTER TABLE organization ADD COLUMN nameserver_pair smallint[];
ALTER TABLE site
  ADD COLUMN nameserver_pair smallint[] NOT NULL DEFAULT '{0,1}',
  ADD COLUMN claim text NOT NULL DEFAULT 'served' CHECK (claim IN ('draft', 'looking', 'served', 'proven', 'parked')),
  -- Why it is parked; null otherwise.
  ADD COLUMN claim_reason text,
  ADD COLUMN claim_since timestamptz NOT NULL DEFAULT now(),
  -- Since when the organisation has wanted the name without a proof.
  ADD COLUMN claimed_at timestamptz NOT NULL DEFAULT now(),
  ADD COLUMN proven_by text CHECK (proven_by IN ('delegation', 'txt', 'house')),
  -- What a TXT record at the name's present DNS has to say; another one when somebody else has proven the name.
  ADD COLUMN proof_token text NOT NULL DEFAULT replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''),
  ADD CHECK ((claim = 'parked') = (claim_reason IS NOT NULL)),
  ADD CHECK ((claim = 'proven') = (proven_by IS NOT NULL));
-- A delegation that leads here was nobody else's before: names were unique.
UPDATE site SET claim = 'proven', proven_by = 'delegation' WHERE dns_state = 'verified';
UPDATE site SET claim = 'draft' WHERE zone_status = 0;
CREATE UNIQUE INDEX site_served ON site (domain_name) WHERE claim IN ('looking', 'served', 'proven');
CREATE INDEX ON site (domain_name);

-- Who has claimed which name with which pair, and whose a deleted name is for a while. It outlives the sites: a delegation that was left behind is nobody else's proof.
CREATE TABLE claimed_name (
  domain_name text NOT NULL,
  organization_id uuid NOT NULL,
  nameserver_pair smallint[] NOT NULL,
  -- Null while there was only a draft.
  claimed_at timestamptz,
  proven_by text,
  ended_at timestamptz,
  reserved_until timestamptz,
  PRIMARY KEY (domain_name, organization_id)
);
ALTER TABLE claimed_name ENABLE ROW LEVEL SECURITY;
ALTER TABLE claimed_name FORCE ROW LEVEL SECURITY;
CREATE POLICY system ON claimed_name TO fairway_system USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON claimed_name TO fairway_system;
INSERT INTO claimed_name (domain_name, organization_id, nameserver_pair, claimed_at, proven_by)
  SELECT domain_name, organization_id, nameserver_pair, CASE WHEN claim <> 'draft' THEN now() END, proven_by FROM site;

-- Every site that is served is looked at from now on.
INSERT INTO site_task (organization_id, site_id, kind)
  SELECT organization_id, id, 'nameservers' FROM site WHERE zone_status <> 0 ON CONFLICT DO NOTHING;

-- A partner's own zone of nameserver names.
ALTER TABLE partner
  ADD COLUMN service_domain text UNIQUE,
  -- From when its own names are given out: everything about them was seen right once.
  ADD COLUMN own_names_since timestamptz;
