-- Roles without login: a transaction steps into one of them. fairway_app sees one organisation, fairway_system sees all.
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'fairway_app') THEN CREATE ROLE fairway_app NOLOGIN; END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'fairway_system') THEN CREATE ROLE fairway_system NOLOGIN; END IF;
  EXECUTE format('GRANT fairway_app, fairway_system TO %I', current_user);
END $$;

CREATE TABLE plan (
  id text PRIMARY KEY,
  name text NOT NULL,
  ability text[] NOT NULL,
  site_limit int NOT NULL,
  record_limit int NOT NULL,
  cdn_limit int NOT NULL
);

CREATE TABLE organization (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  name text NOT NULL,
  code text NOT NULL DEFAULT '',
  plan_id text NOT NULL REFERENCES plan,
  master_app text NOT NULL DEFAULT 'web',
  sandbox boolean NOT NULL DEFAULT false,
  suspended boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE app_user (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organization_id uuid NOT NULL REFERENCES organization,
  email text NOT NULL UNIQUE,
  password_hash text NOT NULL,
  password_changed_at timestamptz NOT NULL DEFAULT now(),
  first_name text NOT NULL,
  last_name text NOT NULL,
  permissions text[] NOT NULL,
  is_operator boolean NOT NULL DEFAULT false,
  suspended boolean NOT NULL DEFAULT false,
  locale text NOT NULL DEFAULT 'en',
  login_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE session (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organization_id uuid NOT NULL REFERENCES organization,
  user_id uuid NOT NULL REFERENCES app_user ON DELETE CASCADE,
  secret_hash text NOT NULL,
  ip text,
  agent text,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  revoked_at timestamptz
);

CREATE TABLE login_attempt (
  key text PRIMARY KEY,
  failures int NOT NULL,
  blocked_until timestamptz
);

CREATE TABLE site (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organization_id uuid NOT NULL REFERENCES organization,
  domain_name text NOT NULL UNIQUE,
  zone_status int NOT NULL DEFAULT 1,
  dns_state text NOT NULL DEFAULT 'pending',
  version int NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE domain (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organization_id uuid NOT NULL REFERENCES organization,
  site_id uuid NOT NULL REFERENCES site ON DELETE CASCADE,
  name text NOT NULL UNIQUE,
  origin_address text NOT NULL,
  origin_port int NOT NULL,
  origin_protocol text NOT NULL,
  host_header text NOT NULL,
  cache_ttl_seconds int NOT NULL DEFAULT 7200,
  minimum_samples int NOT NULL DEFAULT 20,
  margin_percent double precision NOT NULL DEFAULT 5,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ON domain (site_id);

CREATE TABLE dns_record (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organization_id uuid NOT NULL REFERENCES organization,
  site_id uuid NOT NULL REFERENCES site ON DELETE CASCADE,
  domain_id uuid REFERENCES domain ON DELETE SET NULL,
  type text NOT NULL,
  name text NOT NULL,
  value text NOT NULL,
  preference int,
  ttl_seconds int,
  multi_cdn boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now(),
  modified_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ON dns_record (site_id, name);

-- A CDN an organisation may use. Simulated ones and the edge are known by their slug in every organisation.
CREATE TABLE cdn (
  organization_id uuid NOT NULL REFERENCES organization,
  id text NOT NULL,
  name text NOT NULL,
  slug text NOT NULL,
  driver text NOT NULL,
  category text NOT NULL,
  series int NOT NULL,
  cname text,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, id),
  UNIQUE (organization_id, name)
);

CREATE TABLE domain_cdn (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organization_id uuid NOT NULL REFERENCES organization,
  site_id uuid NOT NULL REFERENCES site ON DELETE CASCADE,
  domain_id uuid NOT NULL REFERENCES domain ON DELETE CASCADE,
  cdn_id text NOT NULL,
  enabled boolean NOT NULL DEFAULT true,
  state text NOT NULL DEFAULT 'deploying',
  detail text,
  cname text NOT NULL,
  latency_factor double precision NOT NULL DEFAULT 1,
  latency_add_ms double precision NOT NULL DEFAULT 0,
  state_since timestamptz NOT NULL DEFAULT now(),
  -- The site's version that the driver must see confirmed before it is operational.
  wanted_version int NOT NULL DEFAULT 0,
  attempts int NOT NULL DEFAULT 0,
  next_attempt_at timestamptz NOT NULL DEFAULT now(),
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (domain_id, cdn_id),
  FOREIGN KEY (organization_id, cdn_id) REFERENCES cdn (organization_id, id)
);
CREATE INDEX ON domain_cdn (site_id);

CREATE TABLE strategy (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organization_id uuid NOT NULL REFERENCES organization,
  site_id uuid NOT NULL REFERENCES site ON DELETE CASCADE,
  domain_id uuid NOT NULL REFERENCES domain ON DELETE CASCADE,
  priority int NOT NULL,
  name text NOT NULL,
  enabled boolean NOT NULL,
  method text NOT NULL,
  filter jsonb NOT NULL,
  targets jsonb NOT NULL,
  availability_threshold double precision,
  omit_rum boolean NOT NULL,
  omit_sum boolean NOT NULL,
  require_all_data boolean NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  modified_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ON strategy (domain_id);
CREATE INDEX ON strategy (site_id);

CREATE TABLE vsr_rule (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organization_id uuid NOT NULL REFERENCES organization,
  site_id uuid NOT NULL REFERENCES site ON DELETE CASCADE,
  domain_id uuid NOT NULL REFERENCES domain ON DELETE CASCADE,
  name text NOT NULL,
  enabled boolean NOT NULL,
  filter jsonb NOT NULL,
  cdn_id text,
  mimicked_address text NOT NULL,
  mimicked_location jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  modified_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ON vsr_rule (site_id);

CREATE TABLE pulse (
  organization_id uuid PRIMARY KEY REFERENCES organization,
  key text NOT NULL UNIQUE,
  start_delay_seconds int NOT NULL DEFAULT 2,
  repeat_delay_seconds int NOT NULL DEFAULT 30,
  batch_number int NOT NULL DEFAULT 3
);

-- The spine: every change of a site is a numbered version.
CREATE TABLE version (
  organization_id uuid NOT NULL REFERENCES organization,
  site_id uuid NOT NULL REFERENCES site ON DELETE CASCADE,
  number int NOT NULL,
  title text NOT NULL,
  author text NOT NULL,
  source text NOT NULL,
  kinds text[] NOT NULL,
  changes jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (site_id, number)
);

CREATE TABLE audit_log (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organization,
  at timestamptz NOT NULL DEFAULT now(),
  action text NOT NULL,
  user_id uuid,
  user_label text NOT NULL,
  ip text,
  source text NOT NULL,
  site_id uuid,
  domain text,
  version int,
  changes jsonb NOT NULL
);
CREATE INDEX ON audit_log (organization_id, at DESC);

-- Documents to rebuild, written with the change itself. Taken by the worker.
CREATE TABLE outbox (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id uuid,
  kind text NOT NULL,
  key text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);

-- The newest document of every kind and key. The revision grows under the counter's lock, so a reader with a cursor skips nothing.
CREATE TABLE publication_counter (id int PRIMARY KEY CHECK (id = 1), revision bigint NOT NULL);
INSERT INTO publication_counter VALUES (1, 0);
CREATE TABLE publication (
  kind text NOT NULL,
  key text NOT NULL,
  organization_id uuid,
  revision bigint NOT NULL UNIQUE,
  version int NOT NULL,
  body jsonb,
  published_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (kind, key)
);

CREATE TABLE node (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  name text NOT NULL,
  role text NOT NULL,
  software text NOT NULL,
  control_url text,
  last_seen_at timestamptz NOT NULL DEFAULT now(),
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (name, role)
);

CREATE TABLE node_version (
  node_id uuid NOT NULL REFERENCES node ON DELETE CASCADE,
  kind text NOT NULL,
  key text NOT NULL,
  version int NOT NULL,
  ok boolean NOT NULL,
  reason text,
  at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (kind, key, node_id)
);

CREATE TABLE simulated_cdn (
  slug text PRIMARY KEY,
  name text NOT NULL,
  address text NOT NULL,
  series int NOT NULL,
  fault jsonb NOT NULL DEFAULT '{"mode":"up"}',
  version int NOT NULL DEFAULT 1
);

CREATE TABLE health_event (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organization_id uuid NOT NULL REFERENCES organization,
  kind text NOT NULL,
  cdn_id text,
  title text NOT NULL,
  detail jsonb NOT NULL DEFAULT '{}',
  started_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz
);
CREATE INDEX ON health_event (organization_id, started_at DESC);

-- Row-level security: forced, so that even the owner is bound once it steps into a role.
DO $$ DECLARE t text; BEGIN
  FOREACH t IN ARRAY ARRAY['app_user','session','site','domain','dns_record','cdn','domain_cdn','strategy','vsr_rule','pulse','version','audit_log','health_event'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY tenant ON %I TO fairway_app USING (organization_id = current_setting(''fairway.organization'')::uuid) WITH CHECK (organization_id = current_setting(''fairway.organization'')::uuid)', t);
    EXECUTE format('CREATE POLICY system ON %I TO fairway_system USING (true) WITH CHECK (true)', t);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO fairway_app', t);
  END LOOP;
END $$;
ALTER TABLE organization ENABLE ROW LEVEL SECURITY;
ALTER TABLE organization FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON organization TO fairway_app USING (id = current_setting('fairway.organization')::uuid);
CREATE POLICY system ON organization TO fairway_system USING (true) WITH CHECK (true);
ALTER TABLE outbox ENABLE ROW LEVEL SECURITY;
ALTER TABLE outbox FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON outbox FOR INSERT TO fairway_app WITH CHECK (organization_id = current_setting('fairway.organization')::uuid);
CREATE POLICY system ON outbox TO fairway_system USING (true) WITH CHECK (true);
ALTER TABLE publication ENABLE ROW LEVEL SECURITY;
ALTER TABLE publication FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON publication FOR SELECT TO fairway_app USING (organization_id = current_setting('fairway.organization')::uuid);
CREATE POLICY system ON publication TO fairway_system USING (true) WITH CHECK (true);

GRANT USAGE ON SCHEMA public TO fairway_app, fairway_system;
GRANT SELECT ON organization, plan, node, node_version, simulated_cdn, publication TO fairway_app;
GRANT UPDATE ON simulated_cdn TO fairway_app;
GRANT INSERT ON outbox TO fairway_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO fairway_system;
GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO fairway_app, fairway_system;

INSERT INTO plan (id, name, ability, site_limit, record_limit, cdn_limit) VALUES
  ('developer', 'Developer', '{multiCdn.enable,dns.staticRouting,ssl.zeroSSL}', 20, 50, 10),
  ('business', 'Business', '{multiCdn.enable,dns.staticRouting,dns.dynamicRouting,dns.geoFilter,dns.vsr,dns.cnameFlattening,zone.websocket,zone.wildcard,ssl.zeroSSL,cache.honorOrigin}', 20, 50, 20),
  ('enterprise', 'Enterprise', '{multiCdn.enable,dns.staticRouting,dns.dynamicRouting,dns.geoFilter,dns.vsr,dns.cnameFlattening,zone.websocket,zone.wildcard,ssl.zeroSSL,cache.honorOrigin,waf.enable,waf.acl.geo,vsp.enable,bulkConfig.enable}', 10000, 1000000, 50);
