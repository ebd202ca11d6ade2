-- Choosing a plan in the first days of a month set back until when an account is billed: its next month met the invoice
-- that is there, and it was billed no more.
UPDATE billing_account b SET billed_until = i.until
  FROM (SELECT organization_id, max(period_until) AS until FROM invoice WHERE kind = 'month' GROUP BY organization_id) i
  WHERE i.organization_id = b.organization_id AND b.billed_until < i.until;
