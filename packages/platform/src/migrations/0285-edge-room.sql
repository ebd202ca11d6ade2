-- How large the documents are that edges hold in memory, so that what an organisation has of it is known when it saves.
ALTER TABLE publication ADD COLUMN bytes integer;
UPDATE publication SET bytes = octet_length(body::text)
  WHERE kind IN ('edge-site', 'edge-security', 'edge-certificates', 'edge-challenges', 'edge-purges') AND body IS NOT NULL;
CREATE INDEX publication_room ON publication (organization_id) WHERE bytes IS NOT NULL;
