-- Where nobody is a customer yet, plans have a price for stored video, too: a thousand minutes for thirty days.
UPDATE plan SET prices = jsonb_set(prices, '{USD,rates,storedMinute}', rates.added)
FROM (VALUES
  ('developer', '{"units": 30000, "minor": 500}'::jsonb),
  ('business', '{"units": 30000, "minor": 400}'),
  ('enterprise', '{"units": 30000, "minor": 250}')) AS rates (id, added)
WHERE plan.id = rates.id AND prices #> '{USD,rates}' IS NOT NULL AND NOT EXISTS (SELECT FROM billing_account);
