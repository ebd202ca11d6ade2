-- What a job that made way for others was made of in its turns, and when the last one ended: its organisation has had it.
ALTER TABLE stream_job ADD COLUMN turn_ended_at timestamptz, ADD COLUMN turn_cost float8 NOT NULL DEFAULT 0;
CREATE INDEX stream_job_turn ON stream_job (turn_ended_at) WHERE turn_ended_at IS NOT NULL;
