-- When something of an upload came last, where that is not seen by its file: what nobody goes on with makes room.
ALTER TABLE stream_asset ADD COLUMN arrived_at timestamptz;
-- Those under way are given their time from now on. Without it, as an API of before writes them, it is not known.
UPDATE stream_asset SET arrived_at = now() WHERE state = 'uploading';
