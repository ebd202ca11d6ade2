-- Deliveries that wait, by webhook, and the few that are under way.
CREATE INDEX ON webhook_delivery (endpoint_id, due_at) WHERE state = 'waiting';
CREATE INDEX ON webhook_delivery (leased_until) WHERE state = 'waiting' AND leased_until IS NOT NULL;
-- What waited for a webhook that is switched off is not sent when it is on again.
UPDATE webhook_delivery d SET state = 'failed', finished_at = now(), leased_until = NULL FROM webhook_endpoint w WHERE w.id = d.endpoint_id AND NOT w.enabled AND d.state = 'waiting';
