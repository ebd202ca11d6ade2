-- Attempts up to this one count no more: somebody has asked for others.
ALTER TABLE stream_job ADD COLUMN vain_from int NOT NULL DEFAULT 0;
-- What cannot be done now is tried later, and keeps no other waiting.
ALTER TABLE stream_thumbnail ADD COLUMN next_try_at timestamptz;
ALTER TABLE stream_download ADD COLUMN next_try_at timestamptz;
