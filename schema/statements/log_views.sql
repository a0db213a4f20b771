-- A member's own log, for the member. The index returns the QSOs by slots of two hours, newest first; the program
-- applies the filter to each QSO (src/qso/log_filter.c). Conditions that the index can decide are in the statement, so
-- that fewer rows are read.

-- part: walked
member_id = :member_id AND slot BETWEEN :first_slot AND :last_slot
    AND (:confirmed IS NULL OR (contact_kind IS -1 OR claim_id IS NOT NULL) = :confirmed)
    AND (:division IS NULL OR CAST(worked_key AS INTEGER) = :division)
    AND (:callsign IS NULL OR substr(worked_key, 1, length(:callsign)) = :callsign)

-- name: walk_log
SELECT {filtered}
FROM qsos INDEXED BY qsos_by_contact
WHERE {walked}
ORDER BY slot DESC;

-- name: walk_log_in_any_order
-- Walks the log in the order in which the QSOs are stored, for callers that only count. This order takes half the time,
-- because adjacent rows are read together.
SELECT {filtered}
FROM qsos
WHERE id IN (
    SELECT id FROM qsos INDEXED BY qsos_by_contact
    WHERE {walked});

-- name: walk_whole_log
-- Walks the log without any filter. Most QSOs are stored in the order of their last changes, so no list of their ids is
-- needed. Omitting the list saves a third of the work.
SELECT {filtered}
FROM qsos INDEXED BY qsos_by_change
WHERE member_id = :member_id;

-- name: count_whole_log
-- Walks the log for statistics and awards of all QSOs, which need fewer columns than a filter. The program's function
-- visit_qso (src/store/columns.c) receives each row. This saves a tenth of the work, because no row is returned.
SELECT visit_qso({counted})
FROM qsos INDEXED BY qsos_by_change
WHERE member_id = :member_id;

-- name: walk_log_texts is walk_log with {stored}
-- Walks the log for filters that read every text field.

-- name: list_newest_map_points
-- Lists the fields that a map shows, for the newest QSOs of a member, in the order in which the QSOs are stored. This
-- order is the fastest to read.
SELECT {mapped}
FROM qsos
WHERE id IN (
    SELECT id FROM qsos INDEXED BY qsos_by_contact
    WHERE member_id = :member_id
    ORDER BY slot DESC
    LIMIT :limit)
ORDER BY id;

-- name: list_unconfirmed_qsos
-- Lists QSOs with other active members, among the newest unconfirmed QSOs that can be confirmed. Includes every QSO
-- with a slash in the callsign worked, because the callsign without its prefix or suffix can be a member's.
WITH newest(newest_id, worked) AS (
    SELECT id, worked_key FROM qsos INDEXED BY qsos_by_contact
    WHERE member_id = :member_id AND contact_kind >= 0
    ORDER BY slot DESC
    LIMIT :limit)
SELECT {stored}
FROM qsos
WHERE id IN (
    SELECT newest_id FROM newest WHERE instr(worked, '/') > 0 OR EXISTS (
        SELECT 1 FROM members WHERE callsign_key = worked AND active = 1 AND id <> :member_id))
ORDER BY qso_at DESC, id DESC;

-- name: list_qsos_of_contact
-- Lists a member's QSOs with a station, around a time.
WITH RECURSIVE slots(number) AS (
    SELECT :first_slot
    UNION ALL
    SELECT number + 1 FROM slots WHERE number < :last_slot)
SELECT id, confirmed_by, {matched}
FROM slots CROSS JOIN qsos INDEXED BY qsos_by_contact
WHERE member_id = :member_id AND slot = number AND worked_key = :worked
    AND qso_at BETWEEN :from AND :to
LIMIT :limit;

-- name: list_qsos_around
-- Lists a member's QSOs around a time, with stations whose callsigns contain a text. The QSOs are unconfirmed, and can
-- be confirmed. Examines at most :looked_at QSOs.
WITH around(around_id, worked, kind) AS (
    SELECT id, worked_key, contact_kind FROM qsos INDEXED BY qsos_by_contact
    WHERE member_id = :member_id AND slot BETWEEN :first_slot AND :last_slot
    LIMIT :looked_at)
SELECT {matched}
FROM qsos
WHERE id IN (SELECT around_id FROM around WHERE kind >= 0 AND instr(worked, :base) > 0 LIMIT :limit);
