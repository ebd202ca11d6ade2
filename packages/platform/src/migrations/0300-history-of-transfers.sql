-- What the transfers of a zone have written into the history on a day: a primary that changes all the time would fill the
-- disk with it.
ALTER TABLE site_primary ADD COLUMN history_day date NOT NULL DEFAULT current_date, ADD COLUMN history_bytes bigint NOT NULL DEFAULT 0;
