-- Answers about whole logs, kept until the log changes.

-- name: has_more_qsos
-- From the index alone: whether a log has more than so many.
SELECT 1 FROM qsos INDEXED BY qsos_by_change WHERE member_id = :member_id LIMIT 1 OFFSET :number;

-- name: find_kept_answer
SELECT checksum, content FROM kept_answers
WHERE member_id = :member_id AND kind = :kind AND log_revision = :log_revision AND log_epoch = :log_epoch
    AND locator = :locator AND made_by = :made_by;

-- name: has_kept_answer
SELECT 1 FROM kept_answers
WHERE member_id = :member_id AND kind = :kind AND log_revision = :log_revision AND log_epoch = :log_epoch
    AND locator = :locator AND made_by = :made_by;

-- name: keep_answer
-- Only while the log is still what it was made of.
INSERT OR REPLACE INTO kept_answers (member_id, kind, log_revision, log_epoch, locator, made_by, checksum, content)
SELECT members.id, :kind, :log_revision, :log_epoch, :locator, :made_by, :checksum, :content
FROM members JOIN logbook ON logbook.id = 1
WHERE members.id = :member_id AND members.log_revision = :log_revision AND logbook.log_epoch = :log_epoch
    AND members.locator = :locator;

-- name: delete_kept_answers
DELETE FROM kept_answers WHERE member_id = :member_id;

-- name: find_stamp_before
-- The stamp of the last change before the last so many.
SELECT synced_at FROM qsos INDEXED BY qsos_by_change
WHERE member_id = :member_id
ORDER BY synced_at DESC
LIMIT 1 OFFSET :number;

-- name: has_more_changes
-- From the index alone: whether more than so many QSOs have changed since.
SELECT 1 FROM qsos INDEXED BY qsos_by_change
WHERE member_id = :member_id AND synced_at > :until
LIMIT 1 OFFSET :number;

-- name: count_unchanged
-- From the index alone.
SELECT count(*) AS qsos FROM qsos INDEXED BY qsos_by_change WHERE member_id = :member_id AND synced_at <= :until;

-- name: find_kept_counts
SELECT until, qsos, checksum, content, length(content) AS length FROM kept_counts
WHERE member_id = :member_id AND log_epoch = :log_epoch AND locator = :locator AND made_by = :made_by;

-- name: keep_counts
INSERT OR REPLACE INTO kept_counts (member_id, log_epoch, locator, made_by, until, qsos, checksum, content)
VALUES (:member_id, :log_epoch, :locator, :made_by, :until, :qsos, :checksum, :content);

-- name: delete_kept_counts
DELETE FROM kept_counts WHERE member_id = :member_id;
