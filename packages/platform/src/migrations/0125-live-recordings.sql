-- What is kept of a broadcast while it is on. Its id is that of the video it becomes.
CREATE TABLE stream_recording (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organization_id uuid NOT NULL REFERENCES organization,
  live_id uuid NOT NULL REFERENCES stream_live ON DELETE CASCADE,
  -- running: segments are kept; sealed: its playlists are whole; kept: it is a video; refused: none could be begun.
  state text NOT NULL DEFAULT 'running' CHECK (state IN ('running', 'sealed', 'kept', 'refused')),
  -- Why it ended before it was meant to, or was never begun.
  reason text NOT NULL DEFAULT '' CHECK (reason IN ('', 'disk-full', 'no-source', 'long')),
  seconds double precision NOT NULL DEFAULT 0,
  bytes bigint NOT NULL DEFAULT 0,
  -- Qualities with codecs and bit rates, and what the best of them is.
  facts jsonb,
  started_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz,
  told_at timestamptz
);
CREATE INDEX ON stream_recording (live_id, started_at);
CREATE INDEX ON stream_recording (organization_id) WHERE state IN ('running', 'sealed');
CREATE UNIQUE INDEX ON stream_recording (live_id) WHERE state = 'running';

ALTER TABLE stream_live ADD COLUMN is_recorded boolean NOT NULL DEFAULT false;
-- A recording's qualities are there already: what is left is one file of them, and pictures.
ALTER TABLE stream_job DROP CONSTRAINT stream_job_kind_check;
ALTER TABLE stream_job ADD CONSTRAINT stream_job_kind_check CHECK (kind IN ('audio', 'video', 'pictures', 'recording'));

ALTER TABLE stream_recording ENABLE ROW LEVEL SECURITY;
ALTER TABLE stream_recording FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON stream_recording TO fairway_app USING (organization_id = current_setting('fairway.organization')::uuid) WITH CHECK (organization_id = current_setting('fairway.organization')::uuid);
CREATE POLICY system ON stream_recording TO fairway_system USING (true) WITH CHECK (true);
GRANT SELECT ON stream_recording TO fairway_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON stream_recording TO fairway_system;
