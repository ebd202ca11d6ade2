-- The home whose disk holds what is worked on: uploads, what is made of them, live streams. Another one delivers only.
CREATE TABLE stream_home (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  home text NOT NULL,
  seen_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
ALTER TABLE stream_home ENABLE ROW LEVEL SECURITY;
ALTER TABLE stream_home FORCE ROW LEVEL SECURITY;
CREATE POLICY system ON stream_home TO fairway_system USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON stream_home TO fairway_system;
