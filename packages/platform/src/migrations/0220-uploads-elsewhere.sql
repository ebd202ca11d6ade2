-- Where a file was uploaded to: empty is the disk of the home. `loaded` is what has arrived there.
ALTER TABLE stream_asset
  ADD COLUMN upload_in text NOT NULL DEFAULT '' CHECK (length(upload_in) <= 1000),
  ADD COLUMN loaded bigint NOT NULL DEFAULT 0;
CREATE INDEX ON stream_asset (id) WHERE upload_in <> '';
