-- What the demo's visitors do to its guarded domain, for game day.
CREATE TABLE simulated_attack (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  kind text CHECK (kind IN ('flood', 'injections', 'logins')),
  until timestamptz,
  CHECK ((kind IS NULL) = (until IS NULL))
);
INSERT INTO simulated_attack DEFAULT VALUES;
GRANT SELECT, UPDATE ON simulated_attack TO fairway_app, fairway_system;
