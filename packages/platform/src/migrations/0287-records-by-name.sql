-- Beside a change of a plain name it is asked for delegations and wildcards of aliases; a zone may have aliases by the hundred thousand.
CREATE INDEX ON dns_record (site_id) WHERE type IN ('NS', 'CNAME', 'ALIAS') AND (type = 'NS' OR name LIKE '*%');

-- Made for counting, which nobody does any more (0200). Until a table that has grown was analyzed the planner took them
-- for the index by name, and read a whole zone for one name of it.
DROP INDEX dns_record_organization_id_site_id_idx, dns_record_site_id_organization_id_idx;
