-- A large zone is published whole now and then (body, at the base's revision and version), and in between what has
-- changed since (patch). `sets` is how many RRsets the whole has; null for what is never patched.
ALTER TABLE publication
  ADD COLUMN base_revision bigint,
  ADD COLUMN base_version int,
  ADD COLUMN base_step int,
  ADD COLUMN sets int,
  ADD COLUMN patch jsonb;
