-- A stream that is fetched from elsewhere has the address of its playlist, and no key.
ALTER TABLE stream_live DROP CONSTRAINT stream_live_protocol_check;
ALTER TABLE stream_live ADD CONSTRAINT stream_live_protocol_check CHECK (protocol IN ('rtmp', 'hls'));
ALTER TABLE stream_live ALTER COLUMN key_hash DROP NOT NULL;
ALTER TABLE stream_live ADD COLUMN origin_url text;
ALTER TABLE stream_live ADD CONSTRAINT stream_live_source_check CHECK ((protocol = 'hls') = (origin_url IS NOT NULL) AND (protocol = 'rtmp') = (key_hash IS NOT NULL));
