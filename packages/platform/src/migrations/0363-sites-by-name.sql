-- The sites of an organisation by name, page by page: the planner went by the name over the sites of all.
CREATE INDEX ON site (organization_id, domain_name);
