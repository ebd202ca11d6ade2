-- A certificate is shown for the names of its own site only. One that was uploaded for several sites of an organisation
-- is each one's from now on, where that one had none; documents that named other sites' names are made anew, then those
-- of the sites whose names they were.
DO $$
DECLARE
  touched record;
  made int;
BEGIN
  INSERT INTO certificate (organization_id, site_id, type, names, chain_pem, sealed_key, details, not_after, imported_at, step)
    SELECT DISTINCT ON (o.id, c.details->>'fingerprint') o.organization_id, o.id, c.type, c.names, c.chain_pem, c.sealed_key, c.details, c.not_after, c.imported_at, 'deploy'
    FROM certificate c JOIN site s ON s.id = c.site_id JOIN site o ON o.organization_id = s.organization_id AND o.id <> s.id AND o.claim IN ('served', 'proven')
    WHERE c.chain_pem IS NOT NULL AND c.imported_at IS NOT NULL AND c.removed_at IS NULL AND c.not_after > now()
      AND EXISTS (SELECT FROM unnest(c.names) AS name WHERE right('.' || regexp_replace(name, '^\*\.', ''), length(o.domain_name) + 1) = '.' || o.domain_name
        AND NOT EXISTS (SELECT FROM certificate own WHERE own.site_id = o.id AND own.chain_pem IS NOT NULL AND own.removed_at IS NULL AND own.not_after > now() AND name = ANY (own.names)));
  FOR touched IN
    WITH stray AS (
      SELECT DISTINCT c.site_id, string_to_array(b.bare, '.') AS labels
      FROM certificate c JOIN site s ON s.id = c.site_id, unnest(c.names) AS name, LATERAL (SELECT regexp_replace(name, '^\*\.', '') AS bare) b
      WHERE c.chain_pem IS NOT NULL AND right('.' || b.bare, length(s.domain_name) + 1) <> '.' || s.domain_name
    ), theirs AS (
      SELECT o.id FROM stray, generate_series(1, cardinality(labels)) AS at JOIN site o ON true
      WHERE o.domain_name = array_to_string(labels[at:], '.') AND EXISTS (SELECT FROM certificate c WHERE c.site_id = o.id AND c.chain_pem IS NOT NULL)
    )
    SELECT id, min(turn) AS turn FROM (SELECT site_id AS id, 0 AS turn FROM stray UNION ALL SELECT id, 1 FROM theirs) t GROUP BY id ORDER BY 2, 1
  LOOP
    UPDATE site SET version = version + 1 WHERE id = touched.id RETURNING version INTO made;
    INSERT INTO version (organization_id, site_id, number, title, author, source, kinds, changes)
      SELECT s.organization_id, s.id, made, 'Certificates are shown for names of their own site', p.company_name, 'system', ARRAY['edge-certificates'], '[]'
      FROM site s JOIN organization o ON o.id = s.organization_id JOIN partner p ON p.id = o.partner_id WHERE s.id = touched.id;
    UPDATE certificate SET wanted_version = made WHERE site_id = touched.id AND step = 'deploy' AND wanted_version IS NULL;
    INSERT INTO outbox (organization_id, kind, key) SELECT organization_id, 'edge-certificates', id::text FROM site WHERE id = touched.id;
  END LOOP;
END $$;
