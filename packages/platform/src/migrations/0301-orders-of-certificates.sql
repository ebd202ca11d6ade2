-- How many orders of certificates an organisation has begun on a day: the house's account at an authority is everybody's.
ALTER TABLE organization ADD COLUMN certificate_day date NOT NULL DEFAULT current_date,
  ADD COLUMN certificate_orders integer NOT NULL DEFAULT 0;
