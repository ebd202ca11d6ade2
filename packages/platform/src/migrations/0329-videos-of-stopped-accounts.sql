-- Hosts of videos go where serving stops. Accounts that were stopped before have kept theirs.
INSERT INTO outbox (organization_id, kind, key)
  SELECT p.organization_id, p.kind, p.key FROM publication p JOIN billing_account b ON b.organization_id = p.organization_id
  WHERE p.kind = 'edge-site' AND starts_with(p.key, 'stream:') AND p.body IS NOT NULL AND b.serving_stopped_at IS NOT NULL;
