-- Throughput, a lifetime of its own and what is answered when no target qualifies; how a domain reads its measurements.
ALTER TABLE strategy
  ADD COLUMN minimum_mbps double precision,
  ADD COLUMN prefer_throughput boolean NOT NULL DEFAULT false,
  ADD COLUMN ttl_seconds integer CHECK (ttl_seconds BETWEEN 30 AND 86400),
  ADD COLUMN when_no_data text NOT NULL DEFAULT 'pass',
  ADD COLUMN when_below text NOT NULL DEFAULT 'pass';
ALTER TABLE domain
  ADD COLUMN steering_levels jsonb,
  ADD COLUMN max_age_seconds integer CHECK (max_age_seconds BETWEEN 30 AND 3600),
  ADD COLUMN fallback_ttl_seconds integer CHECK (fallback_ttl_seconds BETWEEN 30 AND 86400);
