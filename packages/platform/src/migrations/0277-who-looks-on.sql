-- Whose rights a session stands on that somebody has opened as another user. Those without one end; they last an hour.
ALTER TABLE session ADD COLUMN impostor_id uuid REFERENCES app_user ON DELETE SET NULL;
