-- Where the world reaches a name server or an edge, as its machine tells; null of a version that does not. What of it
-- the zones of the house name: null while they do not name the machine. And since when it is so.
ALTER TABLE node
  ADD COLUMN addresses text[] CHECK (cardinality(addresses) <= 8),
  ADD COLUMN listed_addresses text[] CHECK (cardinality(listed_addresses) <= 8),
  ADD COLUMN listed_at timestamptz;
