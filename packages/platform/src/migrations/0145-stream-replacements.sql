-- A new file for a video, which goes on playing until the new one is whole. It is a row of its own meanwhile, uploaded
-- and encoded as any other, into the folder of the video that it replaces; then both exchange what they hold.
ALTER TABLE stream_asset
  ADD COLUMN replaces uuid REFERENCES stream_asset ON DELETE CASCADE,
  -- Numbers of attempts begin above this, so that no folder of the video ever holds anything else.
  ADD COLUMN edition int NOT NULL DEFAULT 0,
  -- Who watches the old file is cut off, instead of being let finish it.
  ADD COLUMN at_once boolean NOT NULL DEFAULT false,
  -- Where the file as it was sent lies, and what it was called; null: under the id of the video, by its name.
  ADD COLUMN file_id uuid,
  ADD COLUMN file_name text,
  ADD COLUMN replaced_at timestamptz;
DROP INDEX stream_asset_organization_id_lower_idx;
CREATE UNIQUE INDEX ON stream_asset (organization_id, lower(name)) WHERE deleted_at IS NULL AND replaces IS NULL;
-- One at a time.
CREATE UNIQUE INDEX ON stream_asset (replaces) WHERE deleted_at IS NULL AND replaces IS NOT NULL;

-- The picture that stands for a video, when its owner chose one: a moment of it, or a picture of their own.
CREATE TABLE stream_thumbnail (
  asset_id uuid PRIMARY KEY REFERENCES stream_asset ON DELETE CASCADE,
  organization_id uuid NOT NULL REFERENCES organization,
  kind text NOT NULL CHECK (kind IN ('automatic', 'moment', 'picture')),
  -- Seconds of the film.
  at double precision,
  -- As it was sent; kept only until it is made into what viewers get.
  picture bytea,
  -- Names the folder that the picture lies in.
  number int NOT NULL,
  created_by text NOT NULL,
  changed_at timestamptz NOT NULL DEFAULT now(),
  -- When viewers got it; null while they do not.
  applied_at timestamptz,
  reason_code int,
  reason text NOT NULL DEFAULT '',
  -- The one before, which viewers get until then.
  shown_number int
);
CREATE INDEX ON stream_thumbnail (asset_id) WHERE applied_at IS NULL AND reason_code IS NULL;

-- Renditions of a video as one file each, made when they are asked for and kept for a day.
CREATE TABLE stream_download (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organization_id uuid NOT NULL REFERENCES organization,
  asset_id uuid NOT NULL REFERENCES stream_asset ON DELETE CASCADE,
  job_id bigint NOT NULL REFERENCES stream_job ON DELETE CASCADE,
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'running', 'done', 'failed')),
  runner text,
  attempt int NOT NULL DEFAULT 0,
  size bigint,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  done_at timestamptz,
  UNIQUE (job_id)
);
CREATE INDEX ON stream_download (state, created_at);

ALTER TABLE stream_thumbnail ENABLE ROW LEVEL SECURITY;
ALTER TABLE stream_thumbnail FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON stream_thumbnail TO fairway_app USING (organization_id = current_setting('fairway.organization')::uuid) WITH CHECK (organization_id = current_setting('fairway.organization')::uuid);
CREATE POLICY system ON stream_thumbnail TO fairway_system USING (true) WITH CHECK (true);
ALTER TABLE stream_download ENABLE ROW LEVEL SECURITY;
ALTER TABLE stream_download FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON stream_download TO fairway_app USING (organization_id = current_setting('fairway.organization')::uuid) WITH CHECK (organization_id = current_setting('fairway.organization')::uuid);
CREATE POLICY system ON stream_download TO fairway_system USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON stream_thumbnail, stream_download TO fairway_app, fairway_system;
