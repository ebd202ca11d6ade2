-- The API key that asked for a bulk job: what it may do is looked at with each domain. NULL for a session, and for jobs of before.
ALTER TABLE bulk_job ADD COLUMN api_key_id uuid;
