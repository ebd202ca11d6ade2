-- What people are told. One row an incident: while it is open it is not told again, and its end updates it.
CREATE TABLE notification (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organization_id uuid NOT NULL REFERENCES organization ON DELETE CASCADE,
  -- Null: everyone of the organisation who may see `audience`.
  user_id uuid REFERENCES app_user ON DELETE CASCADE,
  -- The permission it needs; null for everyone, `operator` for users with the operator role.
  audience text,
  type text NOT NULL,
  level text NOT NULL,
  event text NOT NULL,
  -- What the event's words are filled with.
  fields jsonb NOT NULL,
  site_id uuid REFERENCES site ON DELETE SET NULL,
  -- Names what has happened, so that it is told once until it ends.
  incident text,
  -- The change of a site within the ten minutes before, when there was one.
  change jsonb,
  created_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz
);
CREATE UNIQUE INDEX ON notification (organization_id, incident) WHERE incident IS NOT NULL AND ended_at IS NULL;
CREATE INDEX ON notification (organization_id, created_at DESC, id);
CREATE INDEX ON notification (created_at);

-- Up to when a user has read everything, and what it marked one by one since.
CREATE TABLE notification_reader (
  user_id uuid PRIMARY KEY REFERENCES app_user ON DELETE CASCADE,
  organization_id uuid NOT NULL REFERENCES organization ON DELETE CASCADE,
  all_read_at timestamptz NOT NULL
);
CREATE TABLE notification_read (
  user_id uuid NOT NULL REFERENCES app_user ON DELETE CASCADE,
  notification_id uuid NOT NULL REFERENCES notification ON DELETE CASCADE,
  organization_id uuid NOT NULL REFERENCES organization ON DELETE CASCADE,
  is_read boolean NOT NULL,
  PRIMARY KEY (user_id, notification_id)
);
CREATE INDEX ON notification_read (notification_id);

-- What a user wants to hear of; a type that is not here is as the product's default.
CREATE TABLE notification_preference (
  user_id uuid NOT NULL REFERENCES app_user ON DELETE CASCADE,
  organization_id uuid NOT NULL REFERENCES organization ON DELETE CASCADE,
  type text NOT NULL,
  in_app boolean NOT NULL,
  -- The least level that comes by mail, or `off`.
  mail text NOT NULL,
  PRIMARY KEY (user_id, type)
);

-- Types that the organisation keeps from its webhooks.
CREATE TABLE notification_unhooked (
  organization_id uuid NOT NULL REFERENCES organization ON DELETE CASCADE,
  type text NOT NULL,
  PRIMARY KEY (organization_id, type)
);

CREATE TABLE webhook_endpoint (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organization_id uuid NOT NULL REFERENCES organization ON DELETE CASCADE,
  url text NOT NULL,
  description text NOT NULL DEFAULT '',
  types text[] NOT NULL,
  enabled boolean NOT NULL DEFAULT true,
  -- Why the worker switched it off; null when a person did or it is on.
  disabled_reason text,
  -- Encrypted. After a rotation the one before signs as well, for a day.
  secret text NOT NULL,
  previous_secret text,
  previous_until timestamptz,
  -- Since when every delivery has failed; null when the last one arrived.
  failing_since timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  modified_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ON webhook_endpoint (organization_id);

CREATE TABLE webhook_delivery (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organization_id uuid NOT NULL REFERENCES organization ON DELETE CASCADE,
  endpoint_id uuid NOT NULL REFERENCES webhook_endpoint ON DELETE CASCADE,
  event text NOT NULL,
  -- The body as it is signed and sent, every time the same.
  body text NOT NULL,
  -- `waiting`, `sent`, `failed`.
  state text NOT NULL DEFAULT 'waiting',
  -- Each try: when, how long, what was answered.
  tries jsonb NOT NULL DEFAULT '[]',
  -- Tries of the present round; asking for it again begins a new one.
  attempts int NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL DEFAULT now(),
  leased_until timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  finished_at timestamptz
);
CREATE INDEX ON webhook_delivery (due_at) WHERE state = 'waiting';
CREATE INDEX ON webhook_delivery (endpoint_id, created_at DESC, id);
CREATE INDEX ON webhook_delivery (created_at);

-- Who of the workers delivers a letter at the moment.
ALTER TABLE mail_message ADD COLUMN leased_until timestamptz;

DO $$ DECLARE t text; BEGIN
  FOREACH t IN ARRAY ARRAY['notification', 'notification_reader', 'notification_read', 'notification_preference', 'notification_unhooked', 'webhook_endpoint', 'webhook_delivery'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY tenant ON %I TO fairway_app USING (organization_id = current_setting(''fairway.organization'')::uuid) WITH CHECK (organization_id = current_setting(''fairway.organization'')::uuid)', t);
    EXECUTE format('CREATE POLICY system ON %I TO fairway_system USING (true) WITH CHECK (true)', t);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO fairway_app, fairway_system', t);
  END LOOP;
END $$;
