-- A member's own log, for its owner to look at. What is wanted is found in the index alone, slot by slot of
-- two hours; only what stands in one slot is sorted.

-- name: list_newest_qsos
SELECT {stored}
FROM qsos
WHERE id IN (
    SELECT id FROM qsos INDEXED BY qsos_by_contact
    WHERE member_id = :member_id
        AND slot BETWEEN :first_slot AND :last_slot
        AND slot * 7200000 + slot_ms BETWEEN :from AND :to
        AND (slot * 7200000 + slot_ms, id) < (:before, :before_id)
    ORDER BY slot DESC, slot_ms DESC, id DESC
    LIMIT :limit)
ORDER BY qso_at DESC, id DESC;

-- name: search_qsos
-- QSOs with callsigns that begin so.
SELECT {stored}
FROM qsos
WHERE id IN (
    SELECT id FROM qsos INDEXED BY qsos_by_contact
    WHERE member_id = :member_id
        AND slot BETWEEN :first_slot AND :last_slot
        AND worked_key >= :first AND worked_key < :end
        AND slot * 7200000 + slot_ms BETWEEN :from AND :to
        AND (slot * 7200000 + slot_ms, id) < (:before, :before_id)
    ORDER BY slot DESC, slot_ms DESC, id DESC
    LIMIT :limit)
ORDER BY qso_at DESC, id DESC;

-- name: visit_qso_times
-- visit_qso_time is a function of the program (src/store/log.c), which is called for each QSO in the
-- index's order, by slots, none of which is in two months.
SELECT visit_qso_time(slot, contact_kind, worked_key)
FROM qsos INDEXED BY qsos_by_contact
WHERE member_id = :member_id;

-- name: list_newest_map_points
-- The fields that a map shows, of the newest QSOs of a member, in the order in which they are stored, which is the
-- quickest.
SELECT {mapped}
FROM qsos
WHERE id IN (
    SELECT id FROM qsos INDEXED BY qsos_by_contact
    WHERE member_id = :member_id
    ORDER BY slot DESC
    LIMIT :limit)
ORDER BY id;

-- name: list_unconfirmed_qsos
-- Of the newest that can be confirmed, those with a station that is another active member's.
WITH newest(newest_id, worked) AS (
    SELECT id, worked_key FROM qsos INDEXED BY qsos_by_contact
    WHERE member_id = :member_id AND contact_kind >= 0
    ORDER BY slot DESC
    LIMIT :limit)
SELECT {stored}
FROM qsos
WHERE id IN (
    SELECT newest_id FROM newest WHERE EXISTS (
        SELECT 1 FROM members WHERE callsign_key = worked AND active = 1 AND id <> :member_id))
ORDER BY qso_at DESC, id DESC;

-- name: list_qsos_of_contact
-- QSOs of a member with a station, around a time.
WITH RECURSIVE slots(number) AS (
    SELECT :first_slot
    UNION ALL
    SELECT number + 1 FROM slots WHERE number < :last_slot)
SELECT id, confirmed_by, {matched}
FROM slots CROSS JOIN qsos INDEXED BY qsos_by_contact
WHERE member_id = :member_id AND slot = number AND worked_key = :worked
    AND qso_at BETWEEN :from AND :to
LIMIT :limit;
