-- How a domain is delivered.
ALTER TABLE domain
  ADD COLUMN spare_addresses text[] NOT NULL DEFAULT '{}',
  ADD COLUMN load_balance text NOT NULL DEFAULT 'failover' CHECK (load_balance IN ('failover', 'round-robin', 'ip-hash')),
  ADD COLUMN fallback_address text,
  ADD COLUMN keepalive_seconds int NOT NULL DEFAULT 60 CHECK (keepalive_seconds BETWEEN 1 AND 100),
  ADD COLUMN http2 boolean NOT NULL DEFAULT true,
  ADD COLUMN early_hints boolean NOT NULL DEFAULT false,
  ADD COLUMN ocsp_stapling boolean NOT NULL DEFAULT false,
  ADD COLUMN compression text NOT NULL DEFAULT 'gzip' CHECK (compression IN ('off', 'gzip', 'brotli')),
  ADD COLUMN always_https boolean NOT NULL DEFAULT false,
  ADD COLUMN ignore_query boolean NOT NULL DEFAULT false,
  ADD COLUMN websocket boolean NOT NULL DEFAULT false,
  ADD COLUMN tiered_cache boolean NOT NULL DEFAULT false,
  ADD COLUMN cache_honor_origin boolean NOT NULL DEFAULT true,
  ADD COLUMN tags text[] NOT NULL DEFAULT '{}',
  -- Counts purges and their undoing; version of the document that edge nodes hold.
  ADD COLUMN purge_version int NOT NULL DEFAULT 0;

UPDATE plan SET ability = array_append(ability, 'cache.advancedRules') WHERE id IN ('business', 'enterprise') AND NOT 'cache.advancedRules' = ANY (ability);

-- Lifetimes by path. The default rule is the domain's own row.
CREATE TABLE cache_rule (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organization_id uuid NOT NULL REFERENCES organization,
  site_id uuid NOT NULL REFERENCES site ON DELETE CASCADE,
  domain_id uuid NOT NULL REFERENCES domain ON DELETE CASCADE,
  type text NOT NULL CHECK (type IN ('directory', 'extension', 'pattern')),
  path text NOT NULL,
  expiry_value int NOT NULL,
  expiry_unit text NOT NULL CHECK (expiry_unit IN ('second', 'minute', 'hour', 'day', 'month')),
  honor_origin boolean NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  modified_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (domain_id, type, path)
);
CREATE INDEX ON cache_rule (site_id);

-- Paths that are never cached.
CREATE TABLE no_cache_rule (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organization_id uuid NOT NULL REFERENCES organization,
  site_id uuid NOT NULL REFERENCES site ON DELETE CASCADE,
  domain_id uuid NOT NULL REFERENCES domain ON DELETE CASCADE,
  type text NOT NULL CHECK (type IN ('directory', 'extension', 'pattern')),
  path text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  modified_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (domain_id, type, path)
);
CREATE INDEX ON no_cache_rule (site_id);

CREATE TABLE purge (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organization_id uuid NOT NULL REFERENCES organization,
  site_id uuid NOT NULL REFERENCES site ON DELETE CASCADE,
  domain_id uuid NOT NULL REFERENCES domain ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('url', 'directory', 'tag', 'all')),
  targets text[] NOT NULL,
  soft boolean NOT NULL,
  requested_by text NOT NULL,
  -- What edge nodes compare stored objects with; moved on when a CDN has to be told again.
  marked_at timestamptz NOT NULL,
  -- The version of the domain's purges that holds this one.
  version int NOT NULL,
  undone_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ON purge (site_id, created_at DESC);
CREATE INDEX ON purge (domain_id, marked_at DESC);

-- One CDN's part of a purge.
CREATE TABLE purge_receipt (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organization_id uuid NOT NULL REFERENCES organization,
  purge_id uuid NOT NULL REFERENCES purge ON DELETE CASCADE,
  cdn_id text NOT NULL,
  status text NOT NULL DEFAULT 'deploying' CHECK (status IN ('deploying', 'rate-limited', 'completed', 'failed', 'unknown')),
  -- What was seen, or why it failed.
  detail jsonb,
  -- Old objects that have to be gone: where, and the Date each bore.
  samples jsonb NOT NULL DEFAULT '[]',
  objects int NOT NULL DEFAULT 0,
  bytes bigint NOT NULL DEFAULT 0,
  attempts int NOT NULL DEFAULT 0,
  accepted_at timestamptz,
  next_attempt_at timestamptz NOT NULL DEFAULT now(),
  leased_until timestamptz,
  finished_at timestamptz,
  UNIQUE (purge_id, cdn_id)
);
CREATE INDEX ON purge_receipt (next_attempt_at) WHERE status IN ('deploying', 'rate-limited');

DO $$ DECLARE t text; BEGIN
  FOREACH t IN ARRAY ARRAY['cache_rule','no_cache_rule','purge','purge_receipt'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY tenant ON %I TO fairway_app USING (organization_id = current_setting(''fairway.organization'')::uuid) WITH CHECK (organization_id = current_setting(''fairway.organization'')::uuid)', t);
    EXECUTE format('CREATE POLICY system ON %I TO fairway_system USING (true) WITH CHECK (true)', t);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO fairway_app', t);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO fairway_system', t);
  END LOOP;
END $$;
