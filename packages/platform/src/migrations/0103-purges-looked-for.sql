-- Whether all nodes have said what they hold of what is to be purged. Of nothing found, only then it follows that nothing was there.
ALTER TABLE purge_receipt ADD COLUMN looked boolean NOT NULL DEFAULT true;
