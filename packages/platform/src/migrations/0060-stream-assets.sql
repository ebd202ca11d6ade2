-- Uploaded videos. A removed one stays as a mark until the edge has let go of what it held of it.
CREATE TABLE stream_asset (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organization_id uuid NOT NULL REFERENCES organization,
  name text NOT NULL,
  category text NOT NULL DEFAULT '',
  size bigint NOT NULL,
  state text NOT NULL DEFAULT 'uploading' CHECK (state IN ('uploading', 'queued', 'processing', 'ready', 'failed')),
  reason_code int,
  reason text NOT NULL DEFAULT '',
  progress real,
  seconds_left int,
  is_playable boolean NOT NULL DEFAULT false,
  has_poster boolean NOT NULL DEFAULT false,
  source jsonb,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  started_at timestamptz,
  ready_at timestamptz,
  deleted_at timestamptz,
  files_removed_at timestamptz
);
CREATE UNIQUE INDEX ON stream_asset (organization_id, lower(name)) WHERE deleted_at IS NULL;
CREATE INDEX ON stream_asset (state) WHERE deleted_at IS NULL;

-- What is to be made of a video, in the order of `seq`. What ran when the role died is begun anew in a new folder.
CREATE TABLE stream_job (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organization,
  asset_id uuid NOT NULL REFERENCES stream_asset ON DELETE CASCADE,
  seq int NOT NULL,
  kind text NOT NULL CHECK (kind IN ('audio', 'video', 'pictures')),
  name text NOT NULL,
  spec jsonb NOT NULL DEFAULT '{}',
  cost double precision NOT NULL DEFAULT 0,
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'running', 'done', 'failed')),
  attempt int NOT NULL DEFAULT 0,
  -- Codecs and bit rates, once they are known.
  made jsonb,
  UNIQUE (asset_id, seq)
);
CREATE INDEX ON stream_job (state, seq);

-- Machines that encode, and when each was last heard of.
CREATE TABLE stream_runner (
  node text PRIMARY KEY,
  can_encode boolean NOT NULL,
  seen_at timestamptz NOT NULL DEFAULT now()
);

ALTER TABLE stream_asset ENABLE ROW LEVEL SECURITY;
ALTER TABLE stream_asset FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON stream_asset TO fairway_app USING (organization_id = current_setting('fairway.organization')::uuid) WITH CHECK (organization_id = current_setting('fairway.organization')::uuid);
CREATE POLICY system ON stream_asset TO fairway_system USING (true) WITH CHECK (true);
ALTER TABLE stream_job ENABLE ROW LEVEL SECURITY;
ALTER TABLE stream_job FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON stream_job TO fairway_app USING (organization_id = current_setting('fairway.organization')::uuid) WITH CHECK (organization_id = current_setting('fairway.organization')::uuid);
CREATE POLICY system ON stream_job TO fairway_system USING (true) WITH CHECK (true);
ALTER TABLE stream_runner ENABLE ROW LEVEL SECURITY;
ALTER TABLE stream_runner FORCE ROW LEVEL SECURITY;
CREATE POLICY anyone ON stream_runner TO fairway_app USING (true) WITH CHECK (false);
CREATE POLICY system ON stream_runner TO fairway_system USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON stream_asset TO fairway_app, fairway_system;
GRANT SELECT ON stream_job, stream_runner TO fairway_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON stream_job, stream_runner TO fairway_system;
