-- Which organisations hold somebody who runs the installation, asked for each row of long lists.
CREATE INDEX ON app_user (organization_id) WHERE is_operator;
