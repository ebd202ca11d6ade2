-- Work that failed by no fault of the file is tried again, later each time.
ALTER TABLE stream_asset ADD COLUMN attempts int NOT NULL DEFAULT 0, ADD COLUMN next_try_at timestamptz;
ALTER TABLE stream_job ADD COLUMN next_try_at timestamptz,
  -- When it was done or given up: whose films were encoded lately waits behind others.
  ADD COLUMN ended_at timestamptz;
CREATE INDEX ON stream_job (ended_at);
