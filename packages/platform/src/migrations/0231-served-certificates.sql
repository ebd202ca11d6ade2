-- Every edge node has confirmed one of this row: the newest, or while a renewal is on its way the one before.
ALTER TABLE certificate ADD COLUMN served boolean NOT NULL DEFAULT false;
UPDATE certificate SET served = true WHERE chain_pem IS NOT NULL AND step IS DISTINCT FROM 'deploy';
