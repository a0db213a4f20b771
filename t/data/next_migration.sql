-- A migration for tests: a new column with a value for every row, a new index, a new table, and a number that shows
-- how often it ran.
ALTER TABLE qsos ADD COLUMN notes_length INTEGER CHECK (notes_length >= 0);
UPDATE qsos SET notes_length = coalesce(length(notes), 0);
CREATE INDEX qsos_by_notes_length ON qsos (member_id, notes_length);
CREATE TABLE migration_runs (id INTEGER PRIMARY KEY) STRICT;
INSERT INTO migration_runs VALUES (1);
UPDATE logbook SET log_epoch = log_epoch + 1;
