-- The certificate of the names that videos are served under; what of it is ordered is told as in `console_certificate`.
CREATE TABLE stream_certificate (
  -- The zone that holds an organisation's name for its videos, such as stream.edge.example.
  host text PRIMARY KEY,
  names text[] NOT NULL,
  authority text NOT NULL,
  directory text NOT NULL,
  chain_pem text,
  sealed_key text,
  not_after timestamptz,
  -- Of the document for the edge.
  version int NOT NULL DEFAULT 0,
  -- Every edge node that is there shows a certificate that holds until then: addresses are https.
  live_until timestamptz,
  step text,
  order_url text,
  order_key text,
  order_began_at timestamptz,
  challenge text,
  challenges jsonb NOT NULL DEFAULT '[]',
  challenges_at timestamptz,
  problem text,
  hindrance text,
  attempts int NOT NULL DEFAULT 0,
  next_attempt_at timestamptz NOT NULL DEFAULT now(),
  leased_until timestamptz
);
GRANT SELECT, INSERT, UPDATE, DELETE ON stream_certificate TO fairway_system;
