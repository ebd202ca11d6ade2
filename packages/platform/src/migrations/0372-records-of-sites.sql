-- A record's organisation is that of its site, which refers to it: to ask again for each record was a fifth of an import.
ALTER TABLE dns_record DROP CONSTRAINT dns_record_organization_id_fkey;
