-- In which order deliveries were written, by no clock. Without a default of the column itself nothing is rewritten: rows
-- of before have none, and come first.
CREATE SEQUENCE webhook_delivery_number;
GRANT USAGE, SELECT ON SEQUENCE webhook_delivery_number TO fairway_app, fairway_system, fairway_partner;
ALTER TABLE webhook_delivery ADD COLUMN number bigint;
ALTER TABLE webhook_delivery ALTER COLUMN number SET DEFAULT nextval('webhook_delivery_number');
ALTER SEQUENCE webhook_delivery_number OWNED BY webhook_delivery.number;
-- What is due later than the wait after so many tries is looked for with each take.
CREATE INDEX ON webhook_delivery (attempts, due_at) WHERE state = 'waiting';
CREATE INDEX ON mail_message (attempts, due_at) WHERE state = 'waiting';
