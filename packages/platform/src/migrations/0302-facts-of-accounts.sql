-- Facts like the others of an account: since when it is locked, and suspended by who runs the installation. Serving ends
-- some time after either.
ALTER TABLE billing_account ADD COLUMN locked_at timestamptz,
  ADD COLUMN suspended_at timestamptz,
  -- A trial is not asked for more than its credit, but for a month in which a card was there.
  ADD COLUMN card_removed_at timestamptz;
