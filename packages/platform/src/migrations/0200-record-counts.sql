-- How many records a site has, kept beside it: each change and each list of sites asks, and a zone may have a million.
ALTER TABLE site ADD COLUMN record_count int NOT NULL DEFAULT 0;

CREATE FUNCTION count_records() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  UPDATE site SET record_count = record_count + CASE TG_OP WHEN 'INSERT' THEN c.n ELSE -c.n END
    FROM (SELECT site_id, count(*)::int AS n FROM touched GROUP BY site_id) c WHERE id = c.site_id;
  RETURN NULL;
END $$;
CREATE TRIGGER count_made AFTER INSERT ON dns_record REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION count_records();
CREATE TRIGGER count_gone AFTER DELETE ON dns_record REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION count_records();

-- Nobody writes records until this is committed: the triggers above keep them out.
UPDATE site SET record_count = c.n FROM (SELECT site_id, count(*)::int AS n FROM dns_record GROUP BY site_id) c WHERE id = c.site_id;
