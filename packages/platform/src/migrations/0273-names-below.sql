-- Names below a name are found by it.
CREATE INDEX ON site (reverse(domain_name) text_pattern_ops);
-- Looks that are repeated wait behind those that somebody has asked for.
ALTER TABLE site_task ADD COLUMN is_repeat boolean NOT NULL DEFAULT false;
UPDATE site_task SET is_repeat = true WHERE kind = 'nameservers' AND state = 'waiting' AND finished_at IS NOT NULL AND due_at > finished_at + interval '59 minutes';
CREATE INDEX ON site_task (is_repeat, due_at) WHERE state IN ('waiting', 'running');
