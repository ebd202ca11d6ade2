-- Who the organisation is at the help desk outside.
ALTER TABLE organization ADD COLUMN hubspot_contact_id text;

-- The plan whose people find their teammates in the account menu; data like every ability.
UPDATE plan SET ability = array_append(ability, 'teammate.enable') WHERE id = 'enterprise' AND NOT 'teammate.enable' = ANY (ability);
