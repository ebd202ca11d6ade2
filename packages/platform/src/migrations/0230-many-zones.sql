-- Revision up to which a node has taken or refused everything that it follows, by its own word; unknown of one that has not said it. What it has yet to take is found by it, and not among all zones.
ALTER TABLE node ADD COLUMN taken_revision bigint;
-- How many documents of a kind there are.
CREATE INDEX publication_live ON publication (kind) WHERE body IS NOT NULL;
