-- Of the key that secrets are sealed with, made with it: a machine with another one would seal what nobody else can read.
ALTER TABLE installation ADD COLUMN sealed_by text;
