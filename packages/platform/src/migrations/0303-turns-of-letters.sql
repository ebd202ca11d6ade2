-- Letters are sent in the order of their turns: many of one organisation stand a second apart, so that those of others
-- come between them. What somebody waits for comes before.
ALTER TABLE mail_message ADD COLUMN turn_at timestamptz NOT NULL DEFAULT now();
CREATE INDEX ON mail_message (turn_at) WHERE state = 'waiting';
CREATE INDEX ON mail_message (organization_id, turn_at) WHERE state = 'waiting';

-- Runs as its owner: an organisation writes letters and reads none.
CREATE FUNCTION next_mail_turn(organization uuid) RETURNS timestamptz LANGUAGE sql SECURITY DEFINER SET search_path = public AS $$
  SELECT greatest(now(), (SELECT max(turn_at) FROM mail_message WHERE organization_id = organization AND state = 'waiting') + interval '1 second')
$$;
DO $$ BEGIN
  EXECUTE format('CREATE POLICY turns ON mail_message FOR SELECT TO %I USING (true)', current_user);
END $$;
