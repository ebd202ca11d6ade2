-- Chapters of uploaded videos: what is wanted, the number of the folder that says it, and whether the playlist does.
ALTER TABLE stream_asset
  ADD COLUMN chapters jsonb NOT NULL DEFAULT '[]',
  ADD COLUMN chapters_number int,
  ADD COLUMN chapters_applied boolean NOT NULL DEFAULT true;
CREATE INDEX ON stream_asset (id) WHERE NOT chapters_applied;
