-- Whether a large zone was published as proven, beside the version and step of the same document.
ALTER TABLE publication ADD COLUMN base_proven boolean;
