-- Tokens for API paths, and the two checks of logins, are lists of rules like the others.
ALTER TABLE security_rule DROP CONSTRAINT security_rule_part_check;
ALTER TABLE security_rule ADD CONSTRAINT security_rule_part_check CHECK (
  part IN ('firewall-rules', 'api-protection', 'failed-login', 'credential-stuffing', 'http-header-rewrite', 'origin-rules')
);
