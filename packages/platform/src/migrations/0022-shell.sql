-- Who the organisation is at the help desk outside.
ALTER TABLE organization ADD COLUMN hubspot_contact_id text;

-- The plan whose people find their teammates in the account menu; data like every ability.
UPDATE plan SET ability = array_append(ability, 'teammate.enable') WHERE id = 'enterprise' AND NOT 'teammate.enable' = ANY (ability);

-- What reads of a large installation were slow without; measured by `./fairway bench api`. Counting what plans bound:
CREATE INDEX ON dns_record (organization_id, site_id);
CREATE INDEX ON domain_cdn (organization_id, domain_id);
-- The newest version of a site that touched its zone, and its edge configuration: the state of each line in the list of sites.
CREATE INDEX version_of_zone ON version (site_id, number DESC) INCLUDE (organization_id) WHERE 'dns-zone' = ANY (kinds);
CREATE INDEX version_of_edge ON version (site_id, number DESC) INCLUDE (organization_id) WHERE 'edge-site' = ANY (kinds);
-- Letters by state in the operator area.
CREATE INDEX ON mail_message (state);
-- What the nodes have confirmed of many sites at once.
CREATE INDEX ON node_version (key, kind);
