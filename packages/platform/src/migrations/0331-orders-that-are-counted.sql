-- From when a certificate is good: one that was uploaded early is not shown before. Rows of older processes have none.
ALTER TABLE certificate ADD COLUMN valid_from timestamptz,
  -- When the authority is asked next when it would like the certificate renewed, and when it was first heard to revoke it.
  ADD COLUMN window_next_at timestamptz,
  ADD COLUMN revoked_at timestamptz,
  -- A renewal that a person has asked for: counted as a first order is.
  ADD COLUMN by_hand boolean NOT NULL DEFAULT false;
UPDATE certificate SET valid_from = (details->>'notBefore')::timestamptz, window_next_at = now() + random() * interval '12 hours' WHERE chain_pem IS NOT NULL;
CREATE INDEX ON certificate (not_after) WHERE chain_pem IS NOT NULL;
CREATE INDEX ON certificate (valid_from) WHERE chain_pem IS NOT NULL;
CREATE INDEX ON certificate (window_next_at) WHERE chain_pem IS NOT NULL AND imported_at IS NULL;
-- Renewals that ended because their authority was not set up for a while.
UPDATE certificate SET step = 'order', order_url = NULL, order_began_at = NULL, next_attempt_at = now() + random() * interval '1 hour'
  WHERE removed_at IS NULL AND chain_pem IS NOT NULL AND imported_at IS NULL AND step IS NULL AND order_key IS NOT NULL AND next_attempt_at IS NULL;

-- Orders that were made at authorities, by whichever organisation: the account there is the house's. Rows outlive the
-- certificates, and are forgotten by age.
CREATE TABLE acme_order (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  authority text NOT NULL,
  organization_id uuid NOT NULL,
  at timestamptz NOT NULL DEFAULT now(),
  is_first boolean NOT NULL
);
CREATE INDEX ON acme_order (authority, at) WHERE is_first;
CREATE INDEX ON acme_order (at);
ALTER TABLE acme_order ENABLE ROW LEVEL SECURITY;
ALTER TABLE acme_order FORCE ROW LEVEL SECURITY;
CREATE POLICY system ON acme_order TO fairway_system USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON acme_order TO fairway_system;
-- Until when the authority takes no orders of the account, by its own word.
ALTER TABLE acme_account ADD COLUMN held_until timestamptz;
