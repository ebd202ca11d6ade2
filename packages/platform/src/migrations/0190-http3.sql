-- Visitors of a domain may come over HTTP/3 where a node offers it.
ALTER TABLE domain ADD COLUMN http3 boolean NOT NULL DEFAULT false;

-- Port at which an edge node offers HTTP/3; null where it does not.
ALTER TABLE node ADD COLUMN http3_port int CHECK (http3_port BETWEEN 1 AND 65535);
