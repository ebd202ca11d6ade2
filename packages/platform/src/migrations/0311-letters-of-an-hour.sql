-- How many letters of notifications a person was written in an hour, and how many were left out since the last one.
CREATE TABLE notification_pace (
  user_id uuid PRIMARY KEY REFERENCES app_user ON DELETE CASCADE,
  organization_id uuid NOT NULL REFERENCES organization ON DELETE CASCADE,
  hour timestamptz NOT NULL,
  letters int NOT NULL,
  left_out int NOT NULL DEFAULT 0,
  -- What the letter that has just been written tells of them.
  told int NOT NULL DEFAULT 0
);
CREATE INDEX ON notification_pace (organization_id);
ALTER TABLE notification_pace ENABLE ROW LEVEL SECURITY;
ALTER TABLE notification_pace FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON notification_pace TO fairway_app USING (organization_id = current_setting('fairway.organization')::uuid) WITH CHECK (organization_id = current_setting('fairway.organization')::uuid);
CREATE POLICY system ON notification_pace TO fairway_system USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON notification_pace TO fairway_app, fairway_system;
-- The newest of a CDN, whether it has ended or not.
CREATE INDEX ON health_event (organization_id, cdn_id, started_at DESC) WHERE kind = 'cdn-down';
CREATE INDEX ON health_event (ended_at) WHERE ended_at IS NOT NULL;
