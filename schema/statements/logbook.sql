-- The whole logbook: its stamps, its epoch and its schema.

-- name: read_schema_version
PRAGMA user_version;

-- name: read_data_version
-- Returns a number that changes with each commit by another connection
-- (https://www.sqlite.org/pragma.html#pragma_data_version).
PRAGMA data_version;

-- name: read_status
SELECT (SELECT count(*) FROM members WHERE is_station = 0) AS members,
    (SELECT count(*) FROM members WHERE active = 1 AND is_station = 0) AS active_members,
    (SELECT count(*) FROM members WHERE is_station = 1) AS stations,
    (SELECT count(*) FROM members WHERE active = 1 AND is_operator = 1) AS operators,
    (SELECT count(*) FROM members WHERE active = 1 AND is_station = 0 AND password_hash IS NULL
        AND NOT EXISTS (SELECT 1 FROM sessions WHERE member_id = members.id)
        AND NOT EXISTS (SELECT 1 FROM passkeys WHERE member_id = members.id)
        AND NOT EXISTS (SELECT 1 FROM api_keys WHERE member_id = members.id AND revoked_at IS NULL))
        AS members_outside,
    (SELECT count(*) FROM sessions) AS sessions,
    (SELECT count(*) FROM api_keys WHERE revoked_at IS NULL) AS active_keys,
    (SELECT count(*) FROM qsos) AS qsos,
    (SELECT count(*) FROM spots) AS spots,
    (SELECT count(*) FROM tombstones) AS tombstones,
    (SELECT count(*) FROM former) AS former_states,
    (SELECT ifnull(sum(history), 0) FROM storage) AS history, (SELECT ifnull(sum(leftovers), 0) FROM storage) AS leftovers,
    (SELECT ifnull(sum(polo), 0) FROM storage) AS polo, (SELECT ifnull(sum(cards), 0) FROM storage) AS cards,
    (SELECT ifnull(sum(known), 0) FROM storage) AS known,
    (SELECT count(*) FROM members WHERE password_hash IS NOT NULL) AS passwords,
    (SELECT count(*) FROM upload_tokens WHERE revoked_at IS NULL) AS active_tokens,
    (SELECT user_version FROM pragma_user_version) AS user_version, uploads, last_stamp, log_epoch
FROM logbook WHERE id = 1;

-- name: read_counts
-- Reads the numbers on the front page.
SELECT (SELECT count(*) FROM members WHERE active = 1 AND is_station = 0) AS members,
    (SELECT count(*) FROM qsos) AS qsos;

-- name: probe_qsos
-- Reads the first QSO, the last QSO and a random QSO, so that damage is noticed in time.
SELECT synced_at, notes FROM qsos
WHERE id IN ((SELECT min(id) FROM qsos), (SELECT max(id) FROM qsos), (
    SELECT min(id) FROM qsos WHERE id >= (SELECT abs(random() / 2) % (max(id) + 1) FROM qsos)));

-- name: probe_log
-- Reads the latest stamp in a random member's log, from the index that requests for a log use.
SELECT max(synced_at) AS synced_at FROM qsos INDEXED BY qsos_by_change
WHERE member_id = (
    SELECT min(id) FROM members WHERE id >= (SELECT abs(random() / 2) % (max(id) + 1) FROM members));

-- name: read_last_stamp
-- Reads the stamp of the last write.
SELECT last_stamp FROM logbook WHERE id = 1;

-- name: update_last_stamp
UPDATE logbook SET last_stamp = :last_stamp WHERE id = 1;

-- name: read_clock
-- Reads the clock's last recorded state.
SELECT last_stamp, clock_at, clock_boot, clock_uptime, clock_doubted_at, clock_confirmed FROM logbook WHERE id = 1;

-- name: update_clock
UPDATE logbook SET clock_at = :clock_at, clock_boot = :clock_boot, clock_uptime = :clock_uptime,
    clock_doubted_at = :clock_doubted_at, clock_confirmed = :clock_confirmed
WHERE id = 1;

-- name: keep_clock_confirmed
-- Used by a restore: keeps an operator's confirmation that the clock was right, for the stamps that are kept.
UPDATE logbook SET clock_confirmed = max(clock_confirmed, :clock_confirmed) WHERE id = 1;

-- name: read_logbook
SELECT last_stamp, log_epoch, uploads, uploads_set_at, identity, clock_confirmed, EXISTS (SELECT 1 FROM members WHERE id > 0) AS has_members
FROM logbook WHERE id = 1;

-- name: raise_logbook
-- Used by a restore: stamps never decrease, and the epoch rises even if the clock has been set back. Deletions from the
-- previous logbook are unknown, and no earlier challenge is valid.
UPDATE logbook SET last_stamp = max(last_stamp, :last_stamp), log_epoch = max(log_epoch, :log_epoch) + 1,
    deletions_since = max(last_stamp, :last_stamp), restored_at = max(last_stamp, :last_stamp),
    challenge_secret = randomblob(32)
WHERE id = 1;
