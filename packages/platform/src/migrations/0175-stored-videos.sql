-- Where what was made of videos is kept, when that is another place than the disk of the role `media`.
ALTER TABLE stream_asset
  -- The place, as it is named; empty while nothing was put anywhere.
  ADD COLUMN stored_in text NOT NULL DEFAULT '' CHECK (length(stored_in) <= 1000),
  -- Counts what was written beside the playlist, and up to where that was put away.
  ADD COLUMN files_revision int NOT NULL DEFAULT 1,
  ADD COLUMN stored_revision int NOT NULL DEFAULT 0,
  -- The runner that is putting it away. What is to be removed there waits for it.
  ADD COLUMN storer text;
CREATE INDEX ON stream_asset (ready_at) WHERE stored_revision < files_revision AND deleted_at IS NULL;
CREATE INDEX ON stream_asset (id) WHERE stored_in <> '' AND deleted_at IS NOT NULL;
-- When a folder that is gone was removed there, too.
ALTER TABLE stream_gone ADD COLUMN stored_removed_at timestamptz;
