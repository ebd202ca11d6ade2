-- When viewers last asked for the stream's playlist, as the role notes it now and then.
ALTER TABLE stream_live ADD COLUMN asked_at timestamptz;
-- A test picture in place of an encoder, and until when; null is until it is switched off.
ALTER TABLE stream_live ADD COLUMN test_picture text CHECK (test_picture IN ('bars', 'waves'));
ALTER TABLE stream_live ADD COLUMN test_until timestamptz;

-- What videos and live streams tell has a type of its own: what was chosen for it as one of origins stays chosen.
INSERT INTO notification_preference (user_id, organization_id, type, in_app, mail)
SELECT user_id, organization_id, 'stream', in_app, mail FROM notification_preference WHERE type = 'origin' ON CONFLICT DO NOTHING;
INSERT INTO notification_unhooked (organization_id, type)
SELECT organization_id, 'stream' FROM notification_unhooked WHERE type = 'origin' ON CONFLICT DO NOTHING;
UPDATE webhook_endpoint SET types = types || '{stream}'::text[] WHERE 'origin' = ANY (types) AND NOT 'stream' = ANY (types);
