-- Open incidents, and what removing a site or a person takes along, were found among millions of rows.
CREATE INDEX ON notification (event) WHERE incident IS NOT NULL AND ended_at IS NULL;
CREATE INDEX ON notification (incident) WHERE incident IS NOT NULL AND ended_at IS NULL;
CREATE INDEX ON notification (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX ON notification (site_id) WHERE site_id IS NOT NULL;
