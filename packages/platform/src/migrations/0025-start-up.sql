-- The first steps on Home, shown until somebody has had enough of them. The calling code of a telephone is read from its number.
ALTER TABLE app_user ADD COLUMN show_tutorial boolean NOT NULL DEFAULT true, DROP COLUMN phone_code;

-- Counts the changes of an organisation's own details: who edits an older state is told so.
ALTER TABLE organization ADD COLUMN version int NOT NULL DEFAULT 1;

-- What a plan bounds for each domain or site, where it is less than what the product takes: `{"cachePerDomain": 20}`.
ALTER TABLE plan ADD COLUMN maxima jsonb NOT NULL DEFAULT '{}';
