-- Whether a node called from the machine of the API: that it is heard says nothing of the way there.
ALTER TABLE node ADD COLUMN is_beside_api boolean NOT NULL DEFAULT false;
