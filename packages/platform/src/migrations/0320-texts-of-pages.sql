-- A text that is forgotten is looked for among the pages, by the reference that they hold.
CREATE INDEX ON custom_page (organization_id, digest);
