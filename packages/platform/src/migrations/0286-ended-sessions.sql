-- Whatever ends a session ends the event streams that it has open: those of the user's other sessions come back.
CREATE FUNCTION tell_ended_session() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('access-ended', NEW.user_id::text);
  RETURN NULL;
END
$$;
CREATE TRIGGER session_ended AFTER UPDATE OF revoked_at ON session FOR EACH ROW
  WHEN (OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL) EXECUTE FUNCTION tell_ended_session();
