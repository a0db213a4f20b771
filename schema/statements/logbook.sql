-- The logbook as a whole: its stamps, its epoch, its schema, and the ids that it has used.

-- name: read_schema_version
PRAGMA user_version;

-- name: read_last_stamp
-- The stamp of the last write.
SELECT last_stamp FROM logbook WHERE id = 1;

-- name: update_last_stamp
UPDATE logbook SET last_stamp = :last_stamp WHERE id = 1;

-- name: read_logbook
SELECT last_stamp, log_epoch FROM logbook WHERE id = 1;

-- name: raise_logbook
-- After a restore: stamps and epoch never go back.
UPDATE logbook SET last_stamp = max(last_stamp, :last_stamp), log_epoch = max(log_epoch, :log_epoch + 1)
WHERE id = 1;

-- name: read_sequence
-- The highest id that a table has used.
SELECT seq FROM sqlite_sequence WHERE name = :name;

-- name: insert_sequence
-- A table that never had a row has no sequence yet.
INSERT INTO sqlite_sequence (name, seq)
SELECT :name, :seq
WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = :name);

-- name: raise_sequence
UPDATE sqlite_sequence SET seq = max(seq, :seq) WHERE name = :name;
