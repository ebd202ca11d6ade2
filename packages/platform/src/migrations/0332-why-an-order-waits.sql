-- Whose order waits is told why: until when an authority takes none, and that many are made there. Not by whom.
GRANT SELECT (authority, held_until) ON acme_account TO fairway_app;
GRANT SELECT (authority, at, is_first) ON acme_order TO fairway_app;
CREATE POLICY tenant ON acme_order FOR SELECT TO fairway_app USING (true);
