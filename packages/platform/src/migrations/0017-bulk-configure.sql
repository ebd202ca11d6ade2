-- A change of many domains, and how it went with each. The permissions are those of who asked, when they asked.
CREATE TABLE bulk_job (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organization_id uuid NOT NULL REFERENCES organization ON DELETE CASCADE,
  user_id uuid NOT NULL REFERENCES app_user ON DELETE CASCADE,
  requested_by text NOT NULL,
  impostor text,
  source text NOT NULL,
  ip text NOT NULL,
  permissions text[] NOT NULL,
  change jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ON bulk_job (organization_id, created_at DESC);

CREATE TABLE bulk_item (
  organization_id uuid NOT NULL REFERENCES organization ON DELETE CASCADE,
  job_id uuid NOT NULL REFERENCES bulk_job ON DELETE CASCADE,
  domain_id uuid NOT NULL,
  site_id uuid NOT NULL,
  -- Kept for when the domain or its site is gone.
  name text NOT NULL,
  site_name text NOT NULL,
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'done', 'unchanged', 'failed')),
  code int,
  fields jsonb NOT NULL DEFAULT '[]',
  version int,
  leased_until timestamptz,
  finished_at timestamptz,
  PRIMARY KEY (job_id, domain_id)
);
CREATE INDEX ON bulk_item (leased_until) WHERE state = 'waiting';

SELECT keep_to_organization('bulk_job', 'bulk_item');
