-- Who is sent the figures of each week by mail, and which week was told last.
CREATE TABLE weekly_report (
  user_id uuid PRIMARY KEY REFERENCES app_user ON DELETE CASCADE,
  organization_id uuid NOT NULL REFERENCES organization ON DELETE CASCADE,
  chosen_at timestamptz NOT NULL DEFAULT now(),
  -- First day (UTC) of the last week that was looked at for this person, with a letter or without one.
  week date,
  -- Nothing was measured in it, which was said once.
  silent boolean NOT NULL DEFAULT false,
  sent_at timestamptz
);
CREATE INDEX ON weekly_report (organization_id);

ALTER TABLE weekly_report ENABLE ROW LEVEL SECURITY;
ALTER TABLE weekly_report FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON weekly_report TO fairway_app USING (organization_id = current_setting('fairway.organization')::uuid) WITH CHECK (organization_id = current_setting('fairway.organization')::uuid);
CREATE POLICY system ON weekly_report TO fairway_system USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON weekly_report TO fairway_app, fairway_system;
