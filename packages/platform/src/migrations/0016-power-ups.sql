-- How a CDN shows itself in the marketplace. What the operator offers brings these with it; of a custom CDN its owner says them.
ALTER TABLE cdn
  ADD COLUMN offer_id text,
  ADD COLUMN reference_url text,
  ADD COLUMN introduction text,
  ADD COLUMN logo bytea,
  ADD COLUMN logo_type text,
  -- People look at each domain before it may be served here.
  ADD COLUMN review boolean NOT NULL DEFAULT false;

-- CDNs that the operator offers to every organisation beside those that all have. The first domain makes the organisation's own row in `cdn`.
CREATE TABLE cdn_offer (
  id text PRIMARY KEY,
  name text NOT NULL UNIQUE,
  driver text NOT NULL,
  -- Which of the driver's CDNs; the name of one that is reached by a name.
  slug text NOT NULL,
  cname text,
  category text NOT NULL,
  -- {"en": ..., "zhHant": ..., "zhHans": ...}
  introduction jsonb,
  reference_url text,
  review boolean NOT NULL DEFAULT false,
  -- Plans that it goes with; empty is all.
  plan_ids text[] NOT NULL DEFAULT '{}',
  offered boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL DEFAULT now()
);
GRANT SELECT ON cdn_offer TO fairway_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON cdn_offer TO fairway_system;
ALTER TABLE cdn ADD FOREIGN KEY (offer_id) REFERENCES cdn_offer;

-- What was asked of the people who review, and what they decided; it holds for this domain on this CDN until the domain is gone.
CREATE TABLE cdn_review (
  organization_id uuid NOT NULL REFERENCES organization ON DELETE CASCADE,
  domain_id uuid NOT NULL REFERENCES domain ON DELETE CASCADE,
  cdn_id text NOT NULL,
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'approved', 'refused')),
  -- Licence number of the site in mainland China.
  icp_number text,
  requested_by text NOT NULL,
  requested_at timestamptz NOT NULL DEFAULT now(),
  decided_by text,
  decided_at timestamptz,
  reason text,
  PRIMARY KEY (domain_id, cdn_id)
);
SELECT keep_to_organization('cdn_review');

-- However a CDN comes to a domain, by an installation or by undoing its end: without approval it waits for people. In a trigger nobody can forget it.
CREATE FUNCTION hold_for_review() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF NEW.state = 'deploying' AND EXISTS (SELECT FROM cdn c WHERE c.organization_id = NEW.organization_id AND c.id = NEW.cdn_id AND c.review)
    AND NOT EXISTS (SELECT FROM cdn_review r WHERE r.domain_id = NEW.domain_id AND r.cdn_id = NEW.cdn_id AND r.state = 'approved') THEN
    NEW.state := 'under-review';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER hold_for_review BEFORE INSERT OR UPDATE OF state ON domain_cdn FOR EACH ROW EXECUTE FUNCTION hold_for_review();
CREATE INDEX ON domain_cdn (state_since) WHERE state = 'under-review';

-- Whether the CDNs fetch through the shield, which then speaks with the origin for all of them.
ALTER TABLE domain ADD COLUMN origin_shield text NOT NULL DEFAULT 'bypass' CHECK (origin_shield IN ('use', 'bypass'));

-- Written while the organisation had a support package.
ALTER TABLE support_ticket ADD COLUMN priority boolean NOT NULL DEFAULT false;

-- One purchase at a cloud marketplace belongs to one organisation.
CREATE UNIQUE INDEX ON organization (aws_customer_id) WHERE aws_customer_id IS NOT NULL;

UPDATE addon SET category = 'smart-load-balancing' WHERE id = 'dynamic-routing';
INSERT INTO addon (id, category, name, description, ability, allowances, plan_ids, prices) VALUES
  ('origin-shield', 'origin-shield', '{"en": "Origin Shield", "zhHant": "Origin Shield", "zhHans": "Origin Shield"}',
   '{"en": "Stands between the CDNs and your origin: it balances, falls back and speaks HTTPS for CDNs that cannot.", "zhHant": "位於 CDN 與來源伺服器之間：替做不到的 CDN 處理負載平衡、備援與 HTTPS。", "zhHans": "位于 CDN 与源站之间：替做不到的 CDN 处理负载均衡、备用与 HTTPS。"}', '{waf.enable}', '{}', '{business}', '{"USD": {"monthlyMinor": 20000}}'),
  ('support-package', 'support-package', '{"en": "Priority support", "zhHant": "優先支援", "zhHans": "优先支持"}',
   '{"en": "Your tickets are answered before those of others.", "zhHant": "您的工單會優先於其他工單獲得回覆。", "zhHans": "您的工单会优先于其他工单获得回复。"}', '{}', '{}', '{}', '{"USD": {"monthlyMinor": 15000}}')
ON CONFLICT (id) DO NOTHING;
