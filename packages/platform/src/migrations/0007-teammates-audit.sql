-- What people may do is given by roles; `permissions` is what they come to, written with them.
ALTER TABLE app_user
  ADD COLUMN is_owner boolean NOT NULL DEFAULT false,
  ADD COLUMN role_ids text[] NOT NULL DEFAULT '{}',
  -- The tier that the user's API keys may have at most.
  ADD COLUMN api_tier int CHECK (api_tier BETWEEN 1 AND 4);
UPDATE app_user u SET is_owner = true, api_tier = 4
  WHERE id = (SELECT id FROM app_user first WHERE first.organization_id = u.organization_id ORDER BY created_at, id LIMIT 1);
UPDATE app_user SET role_ids = array_remove(ARRAY[
    CASE WHEN 'RemoveSite' = ANY(permissions) THEN 'site-admin' WHEN 'EditSite' = ANY(permissions) THEN 'site-editor' WHEN 'ViewSite' = ANY(permissions) THEN 'site-viewer' END,
    CASE WHEN 'RemoveUser' = ANY(permissions) THEN 'teammate-admin' WHEN 'AddUser' = ANY(permissions) THEN 'teammate-editor' WHEN 'ViewUser' = ANY(permissions) THEN 'teammate-viewer' END,
    CASE WHEN 'EditPerformancePolicy' = ANY(permissions) THEN 'dem-editor' WHEN 'ViewPerformancePolicy' = ANY(permissions) THEN 'dem-viewer' END,
    CASE WHEN 'ViewAuditLog' = ANY(permissions) THEN 'auditLog-viewer' END,
    CASE WHEN 'EditSubscription' = ANY(permissions) THEN 'billing-editor' WHEN 'ViewSubscription' = ANY(permissions) THEN 'billing-viewer' END], NULL)
  WHERE NOT is_owner;
CREATE UNIQUE INDEX ON app_user (organization_id) WHERE is_owner;
CREATE INDEX ON app_user (organization_id, created_at);

-- Who is asked to join. It becomes the user of the same id when it is accepted; an address that has an account elsewhere stands here like any other.
CREATE TABLE invitation (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organization_id uuid NOT NULL REFERENCES organization ON DELETE CASCADE,
  email text NOT NULL,
  role_ids text[] NOT NULL,
  inviter text NOT NULL,
  -- Counts the letters; only the link of the newest works.
  letter int NOT NULL DEFAULT 1,
  sent_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, email)
);
ALTER TABLE invitation ENABLE ROW LEVEL SECURITY;
ALTER TABLE invitation FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON invitation TO fairway_app USING (organization_id = current_setting('fairway.organization')::uuid) WITH CHECK (organization_id = current_setting('fairway.organization')::uuid);
CREATE POLICY system ON invitation TO fairway_system USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON invitation TO fairway_app, fairway_system;

-- The audit log is a chain for each organisation: every entry has its number and the hash over its content and the hash of the entry before.
ALTER TABLE audit_log
  ADD COLUMN number bigint,
  ADD COLUMN hash text,
  -- What a search looks through, and no part of the chain: it follows from the other columns.
  ADD COLUMN words text GENERATED ALWAYS AS (lower(action || ' ' || user_label || ' ' || coalesce(impostor, '') || ' ' || coalesce(domain, '') || ' ' || coalesce(ip, '') || ' ' || left(jsonb_path_query_array(changes, '$[*].label')::text, 2000))) STORED,
  ALTER COLUMN at SET DEFAULT clock_timestamp();

-- Every field with its length in bytes in front, a missing one as `-`: no two entries have the same text. Checked from outside by audit-log/chain.ts, which makes the same text.
CREATE FUNCTION audit_hash(entry audit_log, hash_before text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT encode(sha256(convert_to(string_agg(coalesce(octet_length(field)::text || ':' || field, '-'), '' ORDER BY place), 'UTF8')), 'hex')
  FROM unnest(ARRAY[
    hash_before, entry.organization_id::text, entry.number::text, (extract(epoch FROM entry.at) * 1000000)::bigint::text, entry.action, entry.user_id::text, entry.user_label,
    entry.impostor, entry.ip, entry.source, entry.site_id::text, entry.domain, entry.version::text, entry.changes::text
  ]) WITH ORDINALITY AS fields (field, place)
$$;

-- Entries that were there before.
DO $$ DECLARE entry audit_log; organization uuid; next bigint; hash_before text; BEGIN
  FOR entry IN SELECT * FROM audit_log ORDER BY organization_id, id LOOP
    IF organization IS DISTINCT FROM entry.organization_id THEN organization := entry.organization_id; next := 0; hash_before := ''; END IF;
    next := next + 1;
    entry.number := next;
    hash_before := audit_hash(entry, hash_before);
    UPDATE audit_log SET number = next, hash = hash_before WHERE id = entry.id;
  END LOOP;
END $$;

ALTER TABLE audit_log ALTER COLUMN number SET NOT NULL, ALTER COLUMN hash SET NOT NULL;
CREATE UNIQUE INDEX ON audit_log (organization_id, number);

-- Whoever writes an entry continues the chain, without having to think of it. The lock is held until the commit, so an entry is written last in its transaction:
-- the next writer of the same organisation then reads what this one has committed. Other organisations do not wait.
CREATE FUNCTION audit_continue() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE before record;
BEGIN
  PERFORM pg_advisory_xact_lock(4713, hashtext(NEW.organization_id::text));
  SELECT number, hash INTO before FROM audit_log WHERE organization_id = NEW.organization_id ORDER BY number DESC LIMIT 1;
  NEW.number := coalesce(before.number, 0) + 1;
  NEW.hash := audit_hash(NEW, coalesce(before.hash, ''));
  RETURN NEW;
END $$;
CREATE TRIGGER audit_continue BEFORE INSERT ON audit_log FOR EACH ROW EXECUTE FUNCTION audit_continue();

-- Written once, read for ever.
REVOKE UPDATE, DELETE ON audit_log FROM fairway_app, fairway_system;

-- Lists are read by time and by one filter beside it; the number makes the order of entries of one moment certain.
DROP INDEX audit_log_organization_id_at_idx;
CREATE INDEX ON audit_log (organization_id, at, number);
CREATE INDEX ON audit_log (at, id);
CREATE INDEX ON audit_log (organization_id, user_label, at, number);
CREATE INDEX ON audit_log (organization_id, action, at, number);
CREATE INDEX ON audit_log (organization_id, site_id, at, number);
