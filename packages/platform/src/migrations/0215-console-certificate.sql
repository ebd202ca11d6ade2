-- The certificate that the console shows under its own name, where an authority signs it; keys are sealed.
CREATE TABLE console_certificate (
  host text PRIMARY KEY,
  -- The directory that the newest order went to: another one is asked at once.
  directory text NOT NULL,
  chain_pem text,
  sealed_key text,
  not_after timestamptz,
  -- The order under way, as in `certificate`.
  step text,
  order_url text,
  order_key text,
  order_began_at timestamptz,
  challenge text,
  -- What the authority has to see, and since when it can; a text in DNS stands in the zone of `site_id`.
  challenges jsonb NOT NULL DEFAULT '[]',
  challenges_at timestamptz,
  site_id uuid REFERENCES site ON DELETE SET NULL,
  wanted_version int,
  problem text,
  hindrance text,
  attempts int NOT NULL DEFAULT 0,
  next_attempt_at timestamptz NOT NULL DEFAULT now(),
  leased_until timestamptz
);
GRANT SELECT, INSERT, UPDATE, DELETE ON console_certificate TO fairway_system;
