-- Live streams. `revision` counts what was wanted, `applied_revision` is what the role has taken in.
CREATE TABLE stream_live (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organization_id uuid NOT NULL REFERENCES organization,
  name text NOT NULL,
  protocol text NOT NULL DEFAULT 'rtmp' CHECK (protocol IN ('rtmp')),
  latency text NOT NULL CHECK (latency IN ('low', 'normal')),
  key_frame_seconds int NOT NULL CHECK (key_frame_seconds BETWEEN 1 AND 20),
  rewind_seconds int NOT NULL CHECK (rewind_seconds BETWEEN 60 AND 21600),
  key_hash text NOT NULL UNIQUE,
  key_made_at timestamptz NOT NULL DEFAULT now(),
  is_on boolean NOT NULL DEFAULT false,
  revision int NOT NULL DEFAULT 1,
  applied_revision int,
  runner text,
  running_since timestamptz,
  -- Every time that an encoder begins to send has a number, and folders of its own.
  session int NOT NULL DEFAULT 0,
  input jsonb,
  renditions jsonb NOT NULL DEFAULT '[]',
  is_playable boolean NOT NULL DEFAULT false,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz,
  files_removed_at timestamptz
);
CREATE UNIQUE INDEX ON stream_live (organization_id, lower(name)) WHERE deleted_at IS NULL;

ALTER TABLE stream_live ENABLE ROW LEVEL SECURITY;
ALTER TABLE stream_live FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON stream_live TO fairway_app USING (organization_id = current_setting('fairway.organization')::uuid) WITH CHECK (organization_id = current_setting('fairway.organization')::uuid);
CREATE POLICY system ON stream_live TO fairway_system USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON stream_live TO fairway_app, fairway_system;
