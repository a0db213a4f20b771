-- The logbook as a whole: its stamps, its epoch, its schema.

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
