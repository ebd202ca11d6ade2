-- Private data: what an organisation measures by test objects of its own.
CREATE TABLE monitoring_cdn (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organization_id uuid NOT NULL REFERENCES organization,
  name text NOT NULL,
  type text NOT NULL,
  provider text NOT NULL,
  track text NOT NULL,
  cdn_id text,
  origin_address text,
  cname text,
  hostname text NOT NULL,
  path text NOT NULL,
  secure boolean NOT NULL,
  reference_url text,
  state text NOT NULL DEFAULT 'deploying' CHECK (state IN ('deploying', 'operational', 'aside', 'failed')),
  state_since timestamptz NOT NULL DEFAULT now(),
  -- What was seen of the object, newest look.
  findings jsonb NOT NULL DEFAULT '[]',
  checked_at timestamptz,
  due_at timestamptz NOT NULL DEFAULT now(),
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, name),
  -- A CDN that is uninstalled for good is compared with from then on.
  FOREIGN KEY (organization_id, cdn_id) REFERENCES cdn (organization_id, id) ON DELETE SET NULL (cdn_id)
);
CREATE INDEX ON monitoring_cdn (due_at);

ALTER TABLE monitoring_cdn ENABLE ROW LEVEL SECURITY;
ALTER TABLE monitoring_cdn FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON monitoring_cdn TO fairway_app USING (organization_id = current_setting('fairway.organization')::uuid) WITH CHECK (organization_id = current_setting('fairway.organization')::uuid);
CREATE POLICY system ON monitoring_cdn TO fairway_system USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON monitoring_cdn TO fairway_app, fairway_system;
