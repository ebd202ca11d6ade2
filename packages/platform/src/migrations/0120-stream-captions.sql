-- Captions of uploaded videos, as WebVTT. The role `media` writes them beside the video and into its playlist.
CREATE TABLE stream_caption (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organization_id uuid NOT NULL REFERENCES organization,
  asset_id uuid NOT NULL REFERENCES stream_asset ON DELETE CASCADE,
  -- Names the folder that the file lies in; another text gets another folder, since caches keep what they have.
  number int NOT NULL,
  language text NOT NULL,
  label text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('subtitles', 'captions', 'forced')),
  is_default boolean NOT NULL DEFAULT false,
  body text NOT NULL,
  cues int NOT NULL,
  ends_at double precision NOT NULL,
  created_by text NOT NULL,
  changed_at timestamptz NOT NULL DEFAULT now(),
  -- When the playlist of the video said what this row says; null while it does not.
  applied_at timestamptz,
  UNIQUE (asset_id, number)
);
CREATE UNIQUE INDEX ON stream_caption (asset_id, lower(language), kind);
CREATE UNIQUE INDEX ON stream_caption (asset_id, lower(label));
-- What the role looks for once a second.
CREATE INDEX ON stream_caption (asset_id) WHERE applied_at IS NULL;

-- Counts the folders that a video has had for other things than its renditions.
ALTER TABLE stream_asset ADD COLUMN folders int NOT NULL DEFAULT 0;

-- Folders of a video that nobody is to get any more: caches are told, and the files go.
CREATE TABLE stream_gone (
  organization_id uuid NOT NULL REFERENCES organization,
  asset_id uuid NOT NULL REFERENCES stream_asset ON DELETE CASCADE,
  folder text NOT NULL,
  deleted_at timestamptz NOT NULL DEFAULT now(),
  files_removed_at timestamptz,
  PRIMARY KEY (asset_id, folder)
);
CREATE INDEX ON stream_gone (asset_id) WHERE files_removed_at IS NULL;

ALTER TABLE stream_caption ENABLE ROW LEVEL SECURITY;
ALTER TABLE stream_caption FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON stream_caption TO fairway_app USING (organization_id = current_setting('fairway.organization')::uuid) WITH CHECK (organization_id = current_setting('fairway.organization')::uuid);
CREATE POLICY system ON stream_caption TO fairway_system USING (true) WITH CHECK (true);
ALTER TABLE stream_gone ENABLE ROW LEVEL SECURITY;
ALTER TABLE stream_gone FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON stream_gone TO fairway_app USING (organization_id = current_setting('fairway.organization')::uuid) WITH CHECK (organization_id = current_setting('fairway.organization')::uuid);
CREATE POLICY system ON stream_gone TO fairway_system USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON stream_caption, stream_gone TO fairway_app, fairway_system;
