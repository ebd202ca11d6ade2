-- Keys are of two kinds: those of the edge, and RSA for CloudFront, which has a name of its own for each.
ALTER TABLE stream_signing_key ADD COLUMN kind text NOT NULL DEFAULT 'ecdsa-p256' CHECK (kind IN ('ecdsa-p256', 'rsa-2048'));
ALTER TABLE stream_signing_key ADD COLUMN key_pair_id text;

-- The distribution for an organisation's videos in its own account at CloudFront.
CREATE TABLE stream_cloudfront (
  organization_id uuid PRIMARY KEY REFERENCES organization,
  cdn_id text NOT NULL,
  -- Names what lets it in at the edge; without it there it gets nothing more.
  grant_id text NOT NULL,
  state text NOT NULL DEFAULT 'setting-up' CHECK (state IN ('setting-up', 'live', 'removing')),
  host text,
  -- What CloudFront said last, when it was no.
  problem text,
  -- Counts what is wanted: work on what was wanted before does not settle it.
  revision int NOT NULL DEFAULT 1,
  attempts int NOT NULL DEFAULT 0,
  -- What was removed until then it has been told to forget.
  purged_until timestamptz NOT NULL DEFAULT now(),
  due_at timestamptz NOT NULL DEFAULT now(),
  leased_until timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  FOREIGN KEY (organization_id, cdn_id) REFERENCES cdn (organization_id, id)
);
CREATE INDEX ON stream_cloudfront (due_at);

ALTER TABLE stream_cloudfront ENABLE ROW LEVEL SECURITY;
ALTER TABLE stream_cloudfront FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON stream_cloudfront TO fairway_app USING (organization_id = current_setting('fairway.organization')::uuid) WITH CHECK (organization_id = current_setting('fairway.organization')::uuid);
CREATE POLICY system ON stream_cloudfront TO fairway_system USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON stream_cloudfront TO fairway_app, fairway_system;
