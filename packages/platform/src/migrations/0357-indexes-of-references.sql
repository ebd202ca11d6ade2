-- What removes a site, a person, a domain or a page looked through all rows of these.
CREATE INDEX ON route_change (site_id);
CREATE INDEX ON vsr_rule (domain_id);
CREATE INDEX ON session (impostor_id) WHERE impostor_id IS NOT NULL;
CREATE INDEX ON bulk_job (user_id);
CREATE INDEX ON support_ticket (user_id);
CREATE INDEX ON stream_download (asset_id);
CREATE INDEX ON console_certificate (site_id);
CREATE INDEX ON domain (blocked_page_id) WHERE blocked_page_id IS NOT NULL;
CREATE INDEX ON domain (captcha_page_id) WHERE captcha_page_id IS NOT NULL;
CREATE INDEX ON domain (challenge_page_id) WHERE challenge_page_id IS NOT NULL;
CREATE INDEX ON domain (errors_page_id) WHERE errors_page_id IS NOT NULL;
CREATE INDEX ON domain (maintenance_page_id) WHERE maintenance_page_id IS NOT NULL;
CREATE INDEX ON domain (rate_limited_page_id) WHERE rate_limited_page_id IS NOT NULL;
