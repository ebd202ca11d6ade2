-- When something of an upload came last, where that is not seen by its file: what nobody goes on with makes room.
ALTER TABLE stream_asset ADD COLUMN arrived_at timestamptz;
