-- Of which notification a delivery tells: those of one go in the order in which they were written. No foreign key, for
-- a notification may be forgotten before what is told of it.
ALTER TABLE webhook_delivery ADD COLUMN notification_id uuid;
CREATE INDEX ON webhook_delivery (notification_id) WHERE state = 'waiting';
-- When the mail server last took a letter.
CREATE INDEX ON mail_message (sent_at) WHERE state = 'sent';
-- Leases that a wrong clock has made too long are looked for with each take.
CREATE INDEX ON mail_message (leased_until) WHERE state = 'waiting' AND leased_until IS NOT NULL;
-- Letters of an hour about what customers do.
ALTER TABLE notification_pace ADD COLUMN customer_letters int NOT NULL DEFAULT 0;
