-- What the owner of a record notes beside it; no document has it.
ALTER TABLE dns_record
  ADD COLUMN comment text NOT NULL DEFAULT '',
  ADD COLUMN tags text[] NOT NULL DEFAULT '{}';
