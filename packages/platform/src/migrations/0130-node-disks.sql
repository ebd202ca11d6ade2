-- What a node says of the disk of its home; unknown of one that has not said it.
ALTER TABLE node
  ADD COLUMN disk_free_bytes bigint,
  ADD COLUMN disk_size_bytes bigint,
  ADD COLUMN disk_level text CHECK (disk_level IN ('enough', 'scarce', 'full'));
