-- Who looks at a test object has it until then; and how often it was looked at since its state began.
ALTER TABLE monitoring_cdn ADD COLUMN leased_until timestamptz, ADD COLUMN looks int NOT NULL DEFAULT 0;
