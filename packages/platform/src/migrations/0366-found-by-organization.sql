-- Whose address changes, or whose account goes, is looked for among what their organisation has, removed videos too.
CREATE INDEX ON stream_asset (organization_id);
CREATE INDEX ON stream_live (organization_id);
CREATE INDEX ON stream_signing_key (organization_id);
-- Last, for it is written to all the time.
CREATE INDEX ON session (organization_id);
