-- What is stored of a video counts from when it could be played, also where it was never whole.
ALTER TABLE stream_asset ADD COLUMN playable_at timestamptz;
UPDATE stream_asset SET playable_at = coalesce(ready_at, now()) WHERE is_playable OR ready_at IS NOT NULL;
-- When the window of a broadcast that ended long ago was removed.
ALTER TABLE stream_live ADD COLUMN emptied_at timestamptz;
