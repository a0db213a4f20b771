-- Cross-confirmation. The other side of a contact of :station with :worked is a QSO of :worked with :station.
-- All conditions are in the index, whose order is that of the terms, so that each statement visits one row.

-- name: has_contact
-- Whether there is any use in looking further.
SELECT 1 FROM qsos INDEXED BY qsos_by_contact
WHERE member_id = :member_id AND slot = :slot AND worked_key = :station
LIMIT 1;

-- name: find_contact_from
SELECT id, slot * 7200000 + slot_ms AS qso_at FROM qsos INDEXED BY qsos_by_contact
WHERE member_id = :member_id AND slot = :slot AND worked_key = :station AND operator_key IS :operator
    AND contact_kind = :contact_kind
    AND slot_ms BETWEEN :from - :slot * 7200000 AND :to - :slot * 7200000
ORDER BY slot_ms, id
LIMIT 1;

-- name: find_time_of_contact_before
SELECT slot * 7200000 + slot_ms AS qso_at FROM qsos INDEXED BY qsos_by_contact
WHERE member_id = :member_id AND slot = :slot AND worked_key = :station AND operator_key IS :operator
    AND contact_kind = :contact_kind
    AND slot_ms BETWEEN :from - :slot * 7200000 AND :to - :slot * 7200000
ORDER BY slot_ms DESC
LIMIT 1;

-- name: has_operator
-- Whether anybody has such a QSO with this station at any time.
SELECT 1 FROM qsos INDEXED BY qsos_by_operator
WHERE worked_key = :station AND operator_callsign IS NOT NULL AND contact_kind >= 0
LIMIT 1;

-- name: find_next_operator
-- The next member with such a QSO under a callsign that is no member's.
SELECT member_id, active FROM qsos INDEXED BY qsos_by_operator JOIN members ON members.id = member_id
WHERE worked_key = :station AND slot = :slot AND operator_key = :operator AND member_id > :after
    AND operator_callsign IS NOT NULL AND contact_kind >= 0
ORDER BY member_id
LIMIT 1;

-- name: list_callsign_owners
-- One, where there is any; two only in a logbook from before such pairs were refused.
SELECT id, active FROM members WHERE callsign_key = :callsign;

-- name: find_qso_by_id
SELECT member_id, active, members.callsign, qsos.id, {matched}
FROM qsos JOIN members ON members.id = qsos.member_id
WHERE qsos.id = :id;

-- name: update_qso_confirmation
UPDATE qsos SET confirmed_by = :confirmed_by, cross_confirmed_at = :cross_confirmed_at,
    synced_at = :synced_at
WHERE id = :id;
