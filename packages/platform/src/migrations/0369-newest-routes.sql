-- The newest row of each place, which was found by reading all rows of a domain.
CREATE INDEX route_change_newest ON route_change (domain_id, place, id DESC);
