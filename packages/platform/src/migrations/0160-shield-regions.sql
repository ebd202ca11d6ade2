-- Which shield region the edge of a machine is of: what the operator says goes before what the machine was told. And
-- where other machines fetch through it.
ALTER TABLE node
  ADD COLUMN region_told text CHECK (region_told ~ '^[a-z0-9-]{1,40}$'),
  ADD COLUMN region_given text CHECK (region_given ~ '^[a-z0-9-]{1,40}$'),
  ADD COLUMN shield_address text CHECK (length(shield_address) <= 300);

-- What an owner has chosen; without a row, or with no region, the nearest.
CREATE TABLE shield_region (
  id uuid PRIMARY KEY REFERENCES domain ON DELETE CASCADE,
  organization_id uuid NOT NULL REFERENCES organization,
  site_id uuid NOT NULL REFERENCES site ON DELETE CASCADE,
  region text CHECK (region ~ '^[a-z0-9-]{1,40}$'),
  modified_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ON shield_region (site_id);

-- Which region speaks with the origin, as it was published.
CREATE TABLE shield_route (
  domain_id uuid PRIMARY KEY REFERENCES domain ON DELETE CASCADE,
  organization_id uuid NOT NULL REFERENCES organization,
  site_id uuid NOT NULL REFERENCES site ON DELETE CASCADE,
  region text,
  why text NOT NULL,
  nodes jsonb NOT NULL,
  since timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ON shield_route (site_id);

-- How long a node takes to connect to a domain's origin: the middle of its last tries; null when all have failed.
CREATE TABLE origin_time (
  domain_id uuid NOT NULL REFERENCES domain ON DELETE CASCADE,
  node_id uuid NOT NULL REFERENCES node ON DELETE CASCADE,
  organization_id uuid NOT NULL REFERENCES organization,
  ms real,
  samples int NOT NULL,
  failed int NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (domain_id, node_id)
);
CREATE INDEX ON origin_time (node_id);

-- Requests that a node has sent to a domain's origin: for visitors of its own, and for other nodes.
CREATE TABLE shield_count (
  domain_id uuid NOT NULL REFERENCES domain ON DELETE CASCADE,
  node_id uuid NOT NULL REFERENCES node ON DELETE CASCADE,
  organization_id uuid NOT NULL REFERENCES organization,
  day date NOT NULL,
  own bigint NOT NULL,
  others bigint NOT NULL,
  PRIMARY KEY (domain_id, node_id, day)
);
CREATE INDEX ON shield_count (node_id);
CREATE INDEX ON shield_count (day);

DO $$ DECLARE t text; BEGIN
  FOREACH t IN ARRAY ARRAY['shield_region','shield_route','origin_time','shield_count'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY tenant ON %I TO fairway_app USING (organization_id = current_setting(''fairway.organization'')::uuid) WITH CHECK (organization_id = current_setting(''fairway.organization'')::uuid)', t);
    EXECUTE format('CREATE POLICY system ON %I TO fairway_system USING (true) WITH CHECK (true)', t);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO fairway_system', t);
  END LOOP;
END $$;
GRANT SELECT, INSERT, UPDATE, DELETE ON shield_region, shield_route TO fairway_app;
GRANT SELECT ON origin_time, shield_count TO fairway_app;
