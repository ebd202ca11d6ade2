-- Whether challenges that people give up are softened; without a row they are.
CREATE TABLE challenge_friction (
  id uuid PRIMARY KEY REFERENCES domain ON DELETE CASCADE,
  organization_id uuid NOT NULL REFERENCES organization,
  site_id uuid NOT NULL REFERENCES site ON DELETE CASCADE,
  softening boolean NOT NULL,
  modified_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ON challenge_friction (site_id);

-- What was softened, and when; with no steps, what was put back and rests before it may be softened again.
CREATE TABLE challenge_softening (
  domain_id uuid NOT NULL REFERENCES domain ON DELETE CASCADE,
  -- `level`, or the id of a firewall rule.
  rule text NOT NULL,
  organization_id uuid NOT NULL REFERENCES organization,
  site_id uuid NOT NULL REFERENCES site ON DELETE CASCADE,
  -- What was asked for then: whoever asks for something else since has decided anew.
  mode text NOT NULL CHECK (mode IN ('browser-no-delay', 'browser-standard', 'human')),
  steps int NOT NULL CHECK (steps BETWEEN 0 AND 3),
  people int NOT NULL,
  gave_up int NOT NULL,
  changed_at timestamptz NOT NULL,
  PRIMARY KEY (domain_id, rule)
);
CREATE INDEX ON challenge_softening (site_id);

DO $$ DECLARE t text; BEGIN
  FOREACH t IN ARRAY ARRAY['challenge_friction','challenge_softening'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY tenant ON %I TO fairway_app USING (organization_id = current_setting(''fairway.organization'')::uuid) WITH CHECK (organization_id = current_setting(''fairway.organization'')::uuid)', t);
    EXECUTE format('CREATE POLICY system ON %I TO fairway_system USING (true) WITH CHECK (true)', t);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO fairway_system', t);
  END LOOP;
END $$;
GRANT SELECT, INSERT, UPDATE, DELETE ON challenge_friction TO fairway_app;
GRANT SELECT ON challenge_softening TO fairway_app;
