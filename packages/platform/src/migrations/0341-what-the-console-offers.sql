-- A partner's people see whether their customers are billed, and nothing else of their accounts.
GRANT SELECT (organization_id, billed) ON billing_account TO fairway_partner;
CREATE POLICY partner ON billing_account FOR SELECT TO fairway_partner USING (organization_id IN (SELECT id FROM organization));
