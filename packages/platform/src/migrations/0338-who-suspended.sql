-- Who has suspended: only they, and those above them, lift it. Null: from before, or by a process of before; whoever
-- could lift it then still can.
ALTER TABLE organization ADD COLUMN suspended_by text CHECK (suspended_by IN ('partner', 'house'));
ALTER TABLE app_user ADD COLUMN suspended_by text CHECK (suspended_by IN ('organization', 'partner', 'house'));

-- An invitation ends with whoever sends it. Null: from before, when only their address was kept.
ALTER TABLE invitation ADD COLUMN inviter_id uuid REFERENCES app_user ON DELETE SET NULL;
CREATE INDEX ON invitation (inviter_id);
