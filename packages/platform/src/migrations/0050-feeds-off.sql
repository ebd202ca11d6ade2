-- Feeds that a domain's decisions do not read.
ALTER TABLE domain ADD COLUMN feeds_off jsonb NOT NULL DEFAULT '[]';
