-- Records that reach beyond their own name are few, and looked for with every change of a zone.
CREATE INDEX ON dns_record (site_id) WHERE type IN ('NS', 'CNAME', 'ALIAS');
