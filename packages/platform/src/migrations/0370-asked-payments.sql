-- A charge that was asked for by *Pay now* stays so, also where its answer comes late.
ALTER TABLE payment ADD COLUMN asked boolean NOT NULL DEFAULT false;
-- Whom an operator has put on a plan before that was kept as a choice.
UPDATE organization SET plan_chosen_at = created_at WHERE plan_chosen_at IS NULL AND plan_id <> 'developer';
