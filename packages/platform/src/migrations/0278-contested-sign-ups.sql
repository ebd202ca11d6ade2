-- Several people have signed up with one address, with different passwords, before anybody proved that it is theirs.
ALTER TABLE app_user ADD COLUMN sign_up_contested boolean NOT NULL DEFAULT false;
