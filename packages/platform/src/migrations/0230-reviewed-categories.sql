-- In mainland China and near it people look at every domain first, whoever brings the CDN. In a trigger no way to make one can forget it.
CREATE FUNCTION review_by_category() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  NEW.review := NEW.review OR NEW.category IN ('china-cdn', 'china-rim');
  RETURN NEW;
END $$;
CREATE TRIGGER review_by_category BEFORE INSERT OR UPDATE OF category, review ON cdn FOR EACH ROW EXECUTE FUNCTION review_by_category();
CREATE TRIGGER review_by_category BEFORE INSERT OR UPDATE OF category, review ON cdn_offer FOR EACH ROW EXECUTE FUNCTION review_by_category();

-- What was installed before its CDN was reviewed stays: only what comes to a domain waits, not what is set up there anew.
CREATE OR REPLACE FUNCTION hold_for_review() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF NEW.state = 'deploying'
    AND (TG_OP = 'INSERT' OR OLD.state IN ('deleting', 'delete-unsuccessful', 'under-review', 'review-failed'))
    AND EXISTS (SELECT FROM cdn c WHERE c.organization_id = NEW.organization_id AND c.id = NEW.cdn_id AND c.review)
    AND NOT EXISTS (SELECT FROM cdn_review r WHERE r.domain_id = NEW.domain_id AND r.cdn_id = NEW.cdn_id AND r.state = 'approved') THEN
    NEW.state := 'under-review';
  END IF;
  RETURN NEW;
END $$;

UPDATE cdn_offer SET review = true WHERE category IN ('china-cdn', 'china-rim') AND NOT review;
UPDATE cdn SET review = true WHERE category IN ('china-cdn', 'china-rim') AND NOT review;
