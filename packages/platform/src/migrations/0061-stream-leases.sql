-- Which process of the role works on a job: it is begun anew when that one has not been heard of for some seconds.
ALTER TABLE stream_job ADD COLUMN runner text;
