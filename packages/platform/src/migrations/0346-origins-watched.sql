-- What an edge node saw of a domain's origin in its last two minutes, told every few seconds while requests fail there:
-- answered, not connected, and connected but not answered.
CREATE TABLE origin_report (
  domain_id uuid NOT NULL REFERENCES domain ON DELETE CASCADE,
  node_id uuid NOT NULL REFERENCES node ON DELETE CASCADE,
  answered int NOT NULL,
  unconnected int NOT NULL,
  silent int NOT NULL,
  -- Told without a pause.
  since timestamptz NOT NULL DEFAULT now(),
  told_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (domain_id, node_id)
);
CREATE INDEX ON origin_report (node_id);
ALTER TABLE origin_report ENABLE ROW LEVEL SECURITY;
ALTER TABLE origin_report FORCE ROW LEVEL SECURITY;
CREATE POLICY system ON origin_report TO fairway_system USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON origin_report TO fairway_system;

-- The domain whose origin does not answer; null of other events.
ALTER TABLE health_event ADD COLUMN domain_id uuid REFERENCES domain ON DELETE CASCADE;
CREATE INDEX ON health_event (domain_id, started_at DESC) WHERE domain_id IS NOT NULL;
CREATE UNIQUE INDEX ON health_event (domain_id) WHERE kind = 'origin-down' AND ended_at IS NULL;
