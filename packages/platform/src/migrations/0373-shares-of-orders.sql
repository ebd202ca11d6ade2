-- Whose order waits since its organisation has taken its share is told so; how many of the orders are its own is counted.
GRANT SELECT (organization_id) ON acme_order TO fairway_app;
