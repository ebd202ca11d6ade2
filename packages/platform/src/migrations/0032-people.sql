-- Links and codes of letters lie sealed from now on; those of older ones are taken out. Who waits for one asks for another.
UPDATE mail_message SET fields = (fields - 'code') || '{"link": "/login"}' || CASE WHEN fields ? 'code' THEN '{"code": "------"}'::jsonb ELSE '{}' END
  WHERE template IN ('verify-email', 'reset-password', 'invite', 'email-change') AND NOT fields ? 'sealed';
