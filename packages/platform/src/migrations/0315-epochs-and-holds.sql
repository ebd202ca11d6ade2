-- Another one since a restore, or since the database has lost its newest seconds: revisions of before say nothing then.
ALTER TABLE publication_counter ADD COLUMN epoch uuid NOT NULL DEFAULT gen_random_uuid();

-- Why nothing is charged, and after a restore no letter sent, until an operator confirms it.
CREATE TABLE operator_hold (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  kind text NOT NULL CHECK (kind IN ('restored', 'clock')),
  detail jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  confirmed_at timestamptz,
  confirmed_by text
);
CREATE INDEX ON operator_hold (kind) WHERE confirmed_at IS NULL;
GRANT SELECT, INSERT, UPDATE, DELETE ON operator_hold TO fairway_system;
