-- Answers for the domain ask browsers to report requests that fail (Network Error Logging).
ALTER TABLE domain ADD COLUMN network_errors boolean NOT NULL DEFAULT false;
