-- Texts of pages. A text never changes; pages and the versions of a site name it by its SHA-256.
CREATE TABLE custom_page_text (
  organization_id uuid NOT NULL REFERENCES organization ON DELETE CASCADE,
  digest text NOT NULL,
  body text NOT NULL,
  size_bytes int NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, digest)
);

CREATE TABLE custom_page (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organization_id uuid NOT NULL REFERENCES organization ON DELETE CASCADE,
  site_id uuid NOT NULL REFERENCES site ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('errors', 'maintenance')),
  name text NOT NULL,
  digest text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  modified_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (site_id, kind, name),
  FOREIGN KEY (organization_id, digest) REFERENCES custom_page_text
);

ALTER TABLE domain
  ADD COLUMN errors_page_id uuid REFERENCES custom_page ON DELETE SET NULL,
  ADD COLUMN maintenance_page_id uuid REFERENCES custom_page ON DELETE SET NULL,
  ADD COLUMN in_maintenance boolean NOT NULL DEFAULT false;

SELECT keep_to_organization('custom_page_text', 'custom_page');
