-- Plans, add-ons, coupons and taxes are data that the operator edits. Amounts are in the currency's smallest unit, by currency.
ALTER TABLE plan
  -- `trial`: free, paid from its credit. `standard`: paid by card. `contract`: paid from credit that sales grants.
  ADD COLUMN category text NOT NULL DEFAULT 'standard' CHECK (category IN ('trial', 'standard', 'contract')),
  -- Upgrades go to a higher rank.
  ADD COLUMN rank int NOT NULL DEFAULT 0,
  ADD COLUMN offered boolean NOT NULL DEFAULT true,
  ADD COLUMN trial_days int NOT NULL DEFAULT 0,
  -- {"USD": 5000}
  ADD COLUMN trial_credit jsonb NOT NULL DEFAULT '{}',
  -- What happens above an allowance: it is billed, or nothing new is accepted until the month ends.
  ADD COLUMN over_usage text NOT NULL DEFAULT 'bill' CHECK (over_usage IN ('bill', 'stop')),
  -- {"dnsQuery": 1000000, ...}; a meter that is not named has no bound.
  ADD COLUMN allowances jsonb NOT NULL DEFAULT '{}',
  -- {"USD": {"monthlyMinor": 4900, "rates": {"dnsQuery": {"units": 1000000, "minor": 40}}}}
  ADD COLUMN prices jsonb NOT NULL DEFAULT '{}';

UPDATE plan SET category = 'trial', rank = 1, trial_days = 30, trial_credit = '{"USD": 5000}', over_usage = 'bill',
  allowances = '{"dnsQuery": 500000, "chinaDnsQuery": 50000, "cdnTraffic": 100000000000, "cdnRequest": 500000}',
  prices = '{"USD": {"monthlyMinor": 0, "rates": {"dnsQuery": {"units": 1000000, "minor": 60}, "chinaDnsQuery": {"units": 1000000, "minor": 200}, "cdnTraffic": {"units": 1000000000, "minor": 5}, "cdnRequest": {"units": 1000000, "minor": 90}}}}' WHERE id = 'developer';
UPDATE plan SET category = 'standard', rank = 2,
  allowances = '{"dnsQuery": 1000000, "chinaDnsQuery": 100000, "cdnTraffic": 1000000000000, "cdnRequest": 1000000}',
  prices = '{"USD": {"monthlyMinor": 30000, "rates": {"dnsQuery": {"units": 1000000, "minor": 40}, "chinaDnsQuery": {"units": 1000000, "minor": 150}, "cdnTraffic": {"units": 1000000000, "minor": 4}, "cdnRequest": {"units": 1000000, "minor": 75}}}}' WHERE id = 'business';
UPDATE plan SET category = 'contract', rank = 3,
  allowances = '{"dnsQuery": 100000000, "chinaDnsQuery": 10000000, "cdnTraffic": 50000000000000, "cdnRequest": 100000000}',
  prices = '{"USD": {"monthlyMinor": 250000, "rates": {"dnsQuery": {"units": 1000000, "minor": 25}, "chinaDnsQuery": {"units": 1000000, "minor": 100}, "cdnTraffic": {"units": 1000000000, "minor": 2}, "cdnRequest": {"units": 1000000, "minor": 50}}}}' WHERE id = 'enterprise';

-- When the logs were last counted.
ALTER TABLE installation ADD COLUMN usage_counted_at timestamptz;

CREATE TABLE addon (
  id text PRIMARY KEY,
  category text NOT NULL,
  -- {"en": "China DNS", ...}
  name jsonb NOT NULL,
  description jsonb NOT NULL,
  -- Abilities that it adds to the plan's.
  ability text[] NOT NULL DEFAULT '{}',
  -- Adds to the plan's: {"chinaDnsQuery": 1000000}
  allowances jsonb NOT NULL DEFAULT '{}',
  -- Plans that it goes with; empty is all.
  plan_ids text[] NOT NULL DEFAULT '{}',
  offered boolean NOT NULL DEFAULT true,
  -- {"USD": {"monthlyMinor": 10000}}
  prices jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
INSERT INTO addon (id, category, name, description, ability, allowances, prices) VALUES
  ('china-dns', 'dns', '{"en": "China DNS", "zhHant": "中國 DNS", "zhHans": "中国 DNS"}',
   '{"en": "A million DNS queries of visitors in mainland China each month, above those of the plan.", "zhHant": "每月在方案之外另含一百萬次中國大陸訪客的 DNS 查詢。", "zhHans": "每月在套餐之外另含一百万次中国大陆访客的 DNS 查询。"}', '{}', '{"chinaDnsQuery": 1000000}', '{"USD": {"monthlyMinor": 10000}}'),
  ('dynamic-routing', 'multi-cdn', '{"en": "Dynamic routing", "zhHant": "動態路由", "zhHans": "动态路由"}',
   '{"en": "Strategies that follow measurements: best latency, best availability, regional latency.", "zhHant": "依量測結果選路的策略：最低延遲、最高可用性、區域延遲。", "zhHans": "依据测量结果选路的策略：最低延迟、最高可用性、区域延迟。"}', '{dns.dynamicRouting,dns.geoFilter}', '{}', '{"USD": {"monthlyMinor": 10000}}');

CREATE TABLE coupon (
  code text PRIMARY KEY CHECK (code ~ '^[A-Z0-9-]{3,32}$'),
  -- `percent` of the plan's and add-ons' fees or of everything; `amount` off each invoice; `credit` is granted once.
  kind text NOT NULL CHECK (kind IN ('percent', 'amount', 'credit')),
  percent int CHECK (percent BETWEEN 1 AND 100),
  amount_minor bigint CHECK (amount_minor > 0),
  currency text,
  applies_to text NOT NULL DEFAULT 'all' CHECK (applies_to IN ('all', 'fees')),
  -- For how many months from its redemption; null is for good.
  months int CHECK (months > 0),
  most_redemptions int,
  expires_at timestamptz,
  active boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK ((kind = 'percent') = (percent IS NOT NULL)),
  CHECK ((kind <> 'percent') = (amount_minor IS NOT NULL AND currency IS NOT NULL))
);

CREATE TABLE tax_rate (
  country text PRIMARY KEY CHECK (country ~ '^[A-Z]{2}$'),
  name text NOT NULL,
  -- Millionths: 5 % is 50000.
  rate_ppm int NOT NULL CHECK (rate_ppm BETWEEN 0 AND 1000000)
);

-- How an organisation pays. Card data is the payment provider's; what is kept is what people recognise a card by.
CREATE TABLE billing_account (
  organization_id uuid PRIMARY KEY REFERENCES organization ON DELETE CASCADE,
  currency text NOT NULL DEFAULT 'USD',
  gateway text,
  customer_ref text,
  payment_method_ref text,
  card jsonb,
  address jsonb,
  activated_at timestamptz,
  -- Only who has chosen a plan here is billed: the operator's own organisations are not.
  billed boolean NOT NULL DEFAULT false,
  -- Usage before this has its invoice; fees are billed until the end of the month that begins here.
  billed_until timestamptz,
  trial_started_at timestamptz,
  -- Spending limit of a month, without tax; null is none.
  cap_minor bigint CHECK (cap_minor >= 0),
  cap_action text NOT NULL DEFAULT 'continue' CHECK (cap_action IN ('continue', 'stop')),
  -- Facts that the worker finds every few seconds from the usage; they close the ways to new costs.
  cap_reached_at timestamptz,
  cap_warned_at timestamptz,
  quota_reached_at timestamptz,
  trial_over_at timestamptz,
  serving_stopped_at timestamptz,
  modified_at timestamptz NOT NULL DEFAULT now()
);

-- Which plan when: written by the database, so that no way of changing the plan can forget it.
CREATE TABLE plan_period (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organization ON DELETE CASCADE,
  plan_id text NOT NULL REFERENCES plan,
  started_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz
);
CREATE INDEX ON plan_period (organization_id, started_at);

CREATE TABLE addon_subscription (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organization_id uuid NOT NULL REFERENCES organization ON DELETE CASCADE,
  addon_id text NOT NULL REFERENCES addon,
  started_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz
);
CREATE UNIQUE INDEX ON addon_subscription (organization_id, addon_id) WHERE ended_at IS NULL;

-- Runs as its owner: whoever may change an organisation's plan need not be able to write here.
CREATE FUNCTION open_billing() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$ BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO billing_account (organization_id, trial_started_at) VALUES (NEW.id, NEW.plan_chosen_at) ON CONFLICT DO NOTHING;
  ELSE
    UPDATE plan_period SET ended_at = now() WHERE organization_id = NEW.id AND ended_at IS NULL;
  END IF;
  INSERT INTO plan_period (organization_id, plan_id) VALUES (NEW.id, NEW.plan_id);
  RETURN NULL;
END $$;
CREATE TRIGGER open_billing AFTER INSERT ON organization FOR EACH ROW EXECUTE FUNCTION open_billing();
CREATE TRIGGER follow_plan AFTER UPDATE OF plan_id ON organization FOR EACH ROW WHEN (OLD.plan_id IS DISTINCT FROM NEW.plan_id) EXECUTE FUNCTION open_billing();
INSERT INTO billing_account (organization_id, trial_started_at) SELECT id, plan_chosen_at FROM organization;
INSERT INTO plan_period (organization_id, plan_id, started_at) SELECT id, plan_id, created_at FROM organization;

-- Abilities of the plan and of the add-ons that are on.
CREATE FUNCTION organization_ability(organization uuid) RETURNS text[] LANGUAGE sql STABLE AS $$
  SELECT p.ability || coalesce((SELECT array_agg(DISTINCT one) FROM addon_subscription s JOIN addon a ON a.id = s.addon_id, unnest(a.ability) AS one
      WHERE s.organization_id = organization AND s.ended_at IS NULL AND NOT one = ANY(p.ability)), '{}')
    FROM organization o JOIN plan p ON p.id = o.plan_id WHERE o.id = organization
$$;

CREATE TABLE coupon_redemption (
  organization_id uuid NOT NULL REFERENCES organization ON DELETE CASCADE,
  code text NOT NULL REFERENCES coupon,
  redeemed_at timestamptz NOT NULL DEFAULT now(),
  ends_at timestamptz,
  PRIMARY KEY (organization_id, code)
);

-- What the serving nodes' logs say, by day and where it arose. Built again until the month's invoice is posted.
CREATE TABLE usage_day (
  organization_id uuid NOT NULL REFERENCES organization ON DELETE CASCADE,
  day date NOT NULL,
  meter text NOT NULL,
  site_id text NOT NULL,
  domain_id text NOT NULL,
  cdn_id text NOT NULL,
  used bigint NOT NULL,
  PRIMARY KEY (organization_id, day, meter, site_id, domain_id, cdn_id)
);

CREATE TABLE credit_grant (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organization_id uuid NOT NULL REFERENCES organization ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('trial', 'coupon', 'grant', 'unused')),
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  currency text NOT NULL,
  note text NOT NULL DEFAULT '',
  granted_by text,
  granted_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz
);
CREATE INDEX ON credit_grant (organization_id);

-- One row a seller: numbers are taken under its lock, in the transaction of the invoice, so none is missing.
CREATE TABLE invoice_counter (partner_id uuid PRIMARY KEY REFERENCES partner, last bigint NOT NULL);

CREATE TABLE invoice (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organization_id uuid NOT NULL REFERENCES organization,
  partner_id uuid NOT NULL REFERENCES partner,
  sequence bigint NOT NULL,
  number text NOT NULL UNIQUE,
  -- `month`: what the worker bills at the start of a month. `change`: a plan or add-on begun in the middle of one.
  kind text NOT NULL CHECK (kind IN ('month', 'change')),
  status text NOT NULL CHECK (status IN ('posted', 'unpaid', 'paid')),
  currency text NOT NULL,
  period_from timestamptz NOT NULL,
  period_until timestamptz NOT NULL,
  -- As they were when it was posted.
  seller jsonb NOT NULL,
  buyer jsonb NOT NULL,
  subtotal_minor bigint NOT NULL,
  discount_minor bigint NOT NULL,
  tax_name text,
  tax_rate_ppm int NOT NULL,
  tax_minor bigint NOT NULL,
  total_minor bigint NOT NULL,
  credit_minor bigint NOT NULL,
  due_minor bigint NOT NULL CHECK (due_minor >= 0),
  posted_at timestamptz NOT NULL,
  due_at timestamptz NOT NULL,
  paid_at timestamptz,
  attempts int NOT NULL DEFAULT 0,
  next_attempt_at timestamptz,
  decline_code text,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (partner_id, sequence)
);
CREATE INDEX ON invoice (organization_id, posted_at DESC);
CREATE UNIQUE INDEX ON invoice (organization_id, period_from) WHERE kind = 'month';
CREATE INDEX ON invoice (next_attempt_at) WHERE status <> 'paid';

CREATE TABLE invoice_line (
  organization_id uuid NOT NULL REFERENCES organization,
  invoice_id uuid NOT NULL REFERENCES invoice,
  number int NOT NULL,
  -- `plan`, `addon`, `unused`, `usage`.
  kind text NOT NULL,
  -- Plan, add-on or meter, and its name in the three languages as it was.
  item_id text NOT NULL,
  name jsonb NOT NULL,
  from_at timestamptz NOT NULL,
  until_at timestamptz NOT NULL,
  -- Of usage: what was used, what the plan includes, the price of so many units.
  used bigint,
  included bigint,
  rate_units bigint,
  rate_minor bigint,
  -- Of fees: the whole month's price.
  monthly_minor bigint,
  amount_minor bigint NOT NULL,
  discount_minor bigint NOT NULL,
  PRIMARY KEY (invoice_id, number)
);

-- The usage behind a line, frozen with it.
CREATE TABLE invoice_usage (
  organization_id uuid NOT NULL REFERENCES organization,
  invoice_id uuid NOT NULL,
  number int NOT NULL,
  day date NOT NULL,
  site_id text NOT NULL,
  domain_id text NOT NULL,
  cdn_id text NOT NULL,
  -- Names as they were: a site may be gone later.
  site_name text NOT NULL,
  domain_name text NOT NULL,
  cdn_name text NOT NULL,
  used bigint NOT NULL,
  PRIMARY KEY (invoice_id, number, day, site_id, domain_id, cdn_id),
  FOREIGN KEY (invoice_id, number) REFERENCES invoice_line
);

CREATE TABLE credit_use (
  organization_id uuid NOT NULL REFERENCES organization,
  grant_id uuid NOT NULL REFERENCES credit_grant,
  invoice_id uuid NOT NULL REFERENCES invoice,
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  PRIMARY KEY (grant_id, invoice_id)
);

-- Every charge is written before the provider is asked, so that one whose answer was lost is found and settled.
CREATE TABLE payment (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organization_id uuid NOT NULL REFERENCES organization,
  invoice_id uuid REFERENCES invoice,
  gateway text NOT NULL,
  customer_ref text NOT NULL,
  payment_method_ref text NOT NULL,
  amount_minor bigint NOT NULL,
  currency text NOT NULL,
  state text NOT NULL DEFAULT 'started' CHECK (state IN ('started', 'succeeded', 'failed', 'refunded')),
  charge_ref text,
  decline_code text,
  created_at timestamptz NOT NULL DEFAULT now(),
  settled_at timestamptz
);
CREATE INDEX ON payment (organization_id, created_at DESC);
CREATE INDEX ON payment (created_at) WHERE state = 'started';
CREATE UNIQUE INDEX ON payment (charge_ref) WHERE charge_ref IS NOT NULL;

-- Callers see their own organisation only, and all of a seller's count in one row.
CREATE FUNCTION next_invoice_sequence(seller uuid) RETURNS bigint LANGUAGE sql SECURITY DEFINER SET search_path = public AS $$
  INSERT INTO invoice_counter VALUES (seller, 1) ON CONFLICT (partner_id) DO UPDATE SET last = invoice_counter.last + 1 RETURNING last
$$;

-- Events of the payment provider that were taken; it sends some twice.
CREATE TABLE payment_event (id text PRIMARY KEY, type text NOT NULL, received_at timestamptz NOT NULL DEFAULT now());

-- Objects of the embedded sandbox provider: it holds no card number, only how the test card behaves.
CREATE TABLE sandbox_payment (
  id text PRIMARY KEY,
  kind text NOT NULL,
  body jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);

-- A posted invoice does not change any more. What may move is how far it is paid, and only forward.
CREATE FUNCTION keep_invoice() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP = 'DELETE' THEN RAISE EXCEPTION 'invoice % is posted: it cannot be deleted', OLD.number; END IF;
  IF (to_jsonb(NEW) - ARRAY['status', 'paid_at', 'attempts', 'next_attempt_at', 'decline_code']) <> (to_jsonb(OLD) - ARRAY['status', 'paid_at', 'attempts', 'next_attempt_at', 'decline_code']) THEN
    RAISE EXCEPTION 'invoice % is posted: it cannot be changed', OLD.number;
  END IF;
  IF OLD.status = 'paid' AND NEW.status <> 'paid' OR OLD.status = 'unpaid' AND NEW.status = 'posted' THEN
    RAISE EXCEPTION 'invoice % does not go back from % to %', OLD.number, OLD.status, NEW.status;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER keep_invoice BEFORE UPDATE OR DELETE ON invoice FOR EACH ROW EXECUTE FUNCTION keep_invoice();

CREATE FUNCTION keep_ledger() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  RAISE EXCEPTION '%: what was posted is kept as it is', TG_TABLE_NAME;
END $$;
CREATE TRIGGER keep_ledger BEFORE UPDATE OR DELETE ON invoice_line FOR EACH ROW EXECUTE FUNCTION keep_ledger();
CREATE TRIGGER keep_ledger BEFORE UPDATE OR DELETE ON invoice_usage FOR EACH ROW EXECUTE FUNCTION keep_ledger();
CREATE TRIGGER keep_ledger BEFORE UPDATE OR DELETE ON credit_use FOR EACH ROW EXECUTE FUNCTION keep_ledger();
CREATE TRIGGER keep_ledger BEFORE UPDATE OR DELETE ON credit_grant FOR EACH ROW EXECUTE FUNCTION keep_ledger();

-- Lines come in the transaction of their invoice or not at all.
CREATE FUNCTION with_invoice() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF NOT EXISTS (SELECT FROM invoice WHERE id = NEW.invoice_id AND xmin::text = pg_current_xact_id()::xid::text) THEN
    RAISE EXCEPTION '%: the invoice is posted already', TG_TABLE_NAME;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER with_invoice BEFORE INSERT ON invoice_line FOR EACH ROW EXECUTE FUNCTION with_invoice();
CREATE TRIGGER with_invoice BEFORE INSERT ON invoice_usage FOR EACH ROW EXECUTE FUNCTION with_invoice();
CREATE TRIGGER with_invoice BEFORE INSERT ON credit_use FOR EACH ROW EXECUTE FUNCTION with_invoice();

DO $$ DECLARE t text; BEGIN
  FOREACH t IN ARRAY ARRAY['billing_account', 'plan_period', 'addon_subscription', 'coupon_redemption', 'usage_day', 'credit_grant', 'invoice', 'invoice_line', 'invoice_usage', 'credit_use', 'payment'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY tenant ON %I TO fairway_app USING (organization_id = current_setting(''fairway.organization'')::uuid) WITH CHECK (organization_id = current_setting(''fairway.organization'')::uuid)', t);
    EXECUTE format('CREATE POLICY system ON %I TO fairway_system USING (true) WITH CHECK (true)', t);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE ON %I TO fairway_app', t);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO fairway_system', t);
  END LOOP;
  FOREACH t IN ARRAY ARRAY['billing_account', 'plan_period'] LOOP
    EXECUTE format('CREATE POLICY opening ON %I TO %I USING (true) WITH CHECK (true)', t, current_user);
  END LOOP;
END $$;
-- A coupon is seen by whoever has redeemed it: its code is its secret.
ALTER TABLE coupon ENABLE ROW LEVEL SECURITY;
ALTER TABLE coupon FORCE ROW LEVEL SECURITY;
CREATE POLICY redeemed ON coupon FOR SELECT TO fairway_app USING (EXISTS (SELECT FROM coupon_redemption r WHERE r.code = coupon.code));
CREATE POLICY system ON coupon TO fairway_system USING (true) WITH CHECK (true);
GRANT SELECT ON addon, coupon, tax_rate TO fairway_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON addon, coupon, tax_rate, invoice_counter, payment_event, sandbox_payment TO fairway_system;
GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO fairway_app, fairway_system;
