-- Who is suspended at the upgrade was told nothing of an end: served for two weeks more, not for a day. What is written
-- here is the beginning of that last day.
UPDATE billing_account b SET suspended_at = now() + interval '13 days' FROM organization o
  WHERE o.id = b.organization_id AND o.suspended AND NOT o.sandbox AND b.suspended_at IS NULL
    AND EXISTS (SELECT FROM app_user u WHERE u.organization_id = o.id);

-- Letters that were refused wait for hours; those that come after them do not.
CREATE OR REPLACE FUNCTION next_mail_turn(organization uuid) RETURNS timestamptz LANGUAGE sql SECURITY DEFINER SET search_path = public AS $$
  SELECT greatest(now(), (SELECT max(turn_at) FROM mail_message WHERE organization_id = organization AND state = 'waiting' AND attempts = 0) + interval '1 second')
$$;
