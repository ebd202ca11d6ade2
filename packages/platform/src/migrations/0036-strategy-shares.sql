-- A strategy may be for a share of its visitors; a domain may ask that a latency winner be surely faster.
ALTER TABLE strategy ADD COLUMN visitor_percent double precision;
ALTER TABLE domain ADD COLUMN significance boolean NOT NULL DEFAULT false;
