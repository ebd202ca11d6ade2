-- What the large changes of an organisation have written into its history on a day.
CREATE TABLE history_day (
  organization_id uuid PRIMARY KEY REFERENCES organization ON DELETE CASCADE,
  day date NOT NULL,
  bytes bigint NOT NULL
);
SELECT keep_to_organization('history_day');
