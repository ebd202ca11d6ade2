-- Pages that web security shows in the origin's place.
ALTER TABLE custom_page DROP CONSTRAINT custom_page_kind_check;
ALTER TABLE custom_page ADD CONSTRAINT custom_page_kind_check
  CHECK (kind IN ('errors', 'maintenance', 'blocked', 'rate-limited', 'challenge', 'captcha'));

ALTER TABLE domain
  ADD COLUMN blocked_page_id uuid REFERENCES custom_page ON DELETE SET NULL,
  ADD COLUMN rate_limited_page_id uuid REFERENCES custom_page ON DELETE SET NULL,
  ADD COLUMN challenge_page_id uuid REFERENCES custom_page ON DELETE SET NULL,
  ADD COLUMN captcha_page_id uuid REFERENCES custom_page ON DELETE SET NULL;
