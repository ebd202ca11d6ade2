-- Asked once a second by whoever moves CDNs to their goals; the rows that are behind are few.
CREATE INDEX ON domain_cdn (id) WHERE applied_version < wanted_version;
