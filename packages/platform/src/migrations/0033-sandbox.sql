-- The one organisation, if there is one, that anybody may look at without an account.
ALTER TABLE organization ADD COLUMN public_sandbox boolean NOT NULL DEFAULT false;
CREATE UNIQUE INDEX ON organization (public_sandbox) WHERE public_sandbox;
