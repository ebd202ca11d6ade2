-- More parts of the same import follow in a moment: the document need not be built for this one alone.
ALTER TABLE outbox ADD COLUMN has_more boolean NOT NULL DEFAULT false;
