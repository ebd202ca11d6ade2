-- CDNs of vendors that serve are not all looked at in one moment.
UPDATE domain_cdn dc SET next_attempt_at = now() + random() * interval '5 minutes' FROM cdn c
WHERE dc.state = 'operational' AND dc.applied_version >= dc.wanted_version AND dc.next_attempt_at < now() + interval '5 minutes'
  AND c.organization_id = dc.organization_id AND c.id = dc.cdn_id AND c.driver NOT IN ('fairway-edge', 'simulated', 'custom');
-- Critical letters have a limit of their own. What a letter tells of those left out is known when it is counted: nothing
-- reads `told` any more.
ALTER TABLE notification_pace ADD COLUMN critical_letters int NOT NULL DEFAULT 0;
ALTER TABLE notification_pace ALTER COLUMN letters SET DEFAULT 0;
