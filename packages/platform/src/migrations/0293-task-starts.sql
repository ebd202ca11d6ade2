-- A task that ends every worker that takes it is given up. Each organisation has its share of the places, and scans do
-- not stand behind looks.
ALTER TABLE site_task ADD COLUMN starts smallint NOT NULL DEFAULT 0;
CREATE INDEX ON site_task (organization_id) WHERE state = 'running';
CREATE INDEX ON site_task (is_repeat, due_at) WHERE state IN ('waiting', 'running') AND kind <> 'nameservers';
