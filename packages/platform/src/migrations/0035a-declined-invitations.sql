-- Whoever is invited may say no; who has an account in another organisation can do nothing else, and the inviter learns it from them only.
ALTER TABLE invitation
  ADD COLUMN declined_at timestamptz,
  ADD COLUMN declined_why text CHECK (declined_why IN ('has-account', 'not-wanted')),
  ADD CHECK ((declined_at IS NULL) = (declined_why IS NULL));
