-- Who signs up for video can try it and buy it: where nobody is a customer yet, all plans have it. Elsewhere what a plan
-- includes is the operator's own decision by now.
UPDATE plan SET ability = ability || '{vsp.enable}'
WHERE id IN ('developer', 'business') AND NOT ('vsp.enable' = ANY (ability)) AND NOT EXISTS (SELECT FROM billing_account);
