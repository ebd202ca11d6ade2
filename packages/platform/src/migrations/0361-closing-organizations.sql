-- An organisation that its owner closes: `closing_at` is the day, or while what it has is being removed; `closed_at` is
-- when nobody could sign in any more. `closing_by` gets the last invoices, and is forgotten then.
ALTER TABLE organization
  ADD COLUMN closing_at timestamptz,
  ADD COLUMN closed_at timestamptz,
  ADD COLUMN closing_by text,
  -- Why something of it could not be removed yet.
  ADD COLUMN closing_problem text;
CREATE INDEX ON organization (closing_at) WHERE closing_at IS NOT NULL;
CREATE INDEX ON organization (closed_at) WHERE closing_by IS NOT NULL AND closed_at IS NOT NULL;
-- Letters to somebody who has gone are looked for.
CREATE INDEX ON mail_message (organization_id, to_address);
