-- Data about other programs' records, and the callsigns that identify the owner of a log.

-- name: find_known
-- Lists the QSOs that a record describes, with each source that has sent the record. The list contains at most one QSO,
-- unless the log was repaired by hand.
SELECT source, qso_id, said
FROM known_records JOIN qsos ON qsos.id = qso_id AND qsos.member_id = known_records.member_id
WHERE known_records.member_id = :member_id AND at = :at AND mark = :mark;

-- name: list_known
-- Lists all records of a QSO.
SELECT source, at, mark, until, said FROM known_records INDEXED BY known_records_by_qso
WHERE member_id = :member_id AND qso_id = :qso_id;

-- name: insert_known
-- Inserts a record about a new QSO.
INSERT INTO known_records (member_id, at, mark, source, qso_id, until, said)
VALUES (:member_id, :at, :mark, :source, :qso_id, :until, :said)
ON CONFLICT DO UPDATE SET qso_id = excluded.qso_id, until = excluded.until, said = excluded.said;

-- name: write_known
-- Stores a record unless the QSO already has the maximum number of records.
INSERT INTO known_records (member_id, at, mark, source, qso_id, until, said)
SELECT :member_id, :at, :mark, :source, :qso_id, :until, :said
WHERE :most > (SELECT count(*) FROM known_records INDEXED BY known_records_by_qso
    WHERE member_id = :member_id AND qso_id = :qso_id)
ON CONFLICT DO UPDATE SET qso_id = excluded.qso_id, until = excluded.until, said = excluded.said;

-- name: forget_known_elsewhere
-- Removes the record from other QSOs, because a record describes only one QSO, regardless of the program that sent the
-- record. Values that were sent for another QSO (a deleted QSO, for example) do not belong to this QSO.
DELETE FROM known_records
WHERE member_id = :member_id AND at = :at AND mark = :mark AND qso_id <> :qso_id;

-- name: forget_known
DELETE FROM known_records WHERE member_id = :member_id AND at = :at AND mark = :mark AND source = :source;

-- name: has_long_known
SELECT 1 FROM known_records INDEXED BY known_records_long WHERE member_id = :member_id AND until IS NOT NULL LIMIT 1;

-- name: find_program_id
SELECT qso_id
FROM program_ids JOIN qsos ON qsos.id = qso_id AND qsos.member_id = program_ids.member_id
WHERE program_ids.member_id = :member_id AND program = :program AND program_ids.id = :id;

-- name: has_program_id
-- Checks whether a program has given the QSO an id. PoLo's ids are stored with PoLo's records. A QSO without a clientId
-- also has a result for PoLo, because PoLo cannot have such a QSO.
SELECT 1 FROM program_ids INDEXED BY program_ids_by_qso
WHERE member_id = :member_id AND qso_id = :qso_id AND program = :program
UNION ALL
SELECT 1 FROM qsos LEFT JOIN polo_records AS kept
    ON kept.member_id = qsos.member_id AND kept.kind = 1 AND kept.uuid = qsos.client_id
WHERE :program = 'POLO' AND qsos.id = :qso_id AND (qsos.client_id IS NULL OR kept.uuid IS NOT NULL)
LIMIT 1;

-- name: list_programs
-- Lists the programs that have given ids to a QSO, and the ids.
SELECT program, id FROM program_ids INDEXED BY program_ids_by_qso
WHERE member_id = :member_id AND qso_id = :qso_id;

-- name: write_program_id
-- Stores an id unless the QSO already has the maximum number of ids.
INSERT INTO program_ids (member_id, program, id, qso_id)
SELECT :member_id, :program, :id, :qso_id
WHERE :most > (SELECT count(*) FROM program_ids INDEXED BY program_ids_by_qso
    WHERE member_id = :member_id AND qso_id = :qso_id)
ON CONFLICT DO UPDATE SET qso_id = excluded.qso_id;

-- name: list_candidates
-- Lists QSOs in a slot that start between two times. The QSOs are with a station, or without a callsign.
SELECT {stored}, 0 AS length
FROM qsos INDEXED BY qsos_by_contact
WHERE member_id = :member_id AND slot = :slot AND worked_key IS :worked
    AND slot_ms BETWEEN :from - :slot * 7200000 AND :to - :slot * 7200000
LIMIT :limit;

-- name: list_long_candidates
-- Lists the QSOs with a station (NULL: without a callsign) that began between :from and :to and lasted at least until
-- :to.
SELECT {stored}, until - at AS length
FROM known_records INDEXED BY known_records_long JOIN qsos ON qsos.id = qso_id
WHERE known_records.member_id = :member_id AND until IS NOT NULL AND at BETWEEN :from AND :to AND until >= :to
    AND qsos.member_id = :member_id AND worked_key IS :worked
LIMIT :limit;

-- name: find_token_of_qso
SELECT token_id FROM qsos WHERE id = :id;

-- name: list_own_callsigns
-- Lists the member's current and previous callsigns.
SELECT callsign FROM members WHERE id = :member_id
UNION ALL
SELECT callsign FROM former_callsigns WHERE member_id = :member_id;

-- name: insert_former_callsign
-- Stores the current callsign before another callsign replaces it.
INSERT OR IGNORE INTO former_callsigns (member_id, callsign) SELECT id, callsign FROM members WHERE id = :id;

-- name: list_all_callsigns
-- Used by a restore: lists the current and previous callsigns of each member.
SELECT id, created_at, members.callsign FROM members
UNION ALL
SELECT id, created_at, former_callsigns.callsign FROM former_callsigns JOIN members ON members.id = member_id;

-- name: restore_callsign
INSERT OR IGNORE INTO former_callsigns (member_id, callsign)
SELECT id, :callsign FROM members WHERE id = :id AND created_at = :created_at AND callsign <> :callsign;

-- name: move_all_known
-- Moves the records of a QSO to the QSO into which it was merged, or as which it was restored.
UPDATE known_records SET qso_id = :qso_id
WHERE member_id = :member_id AND qso_id = :old_id;

-- name: move_all_program_ids
UPDATE program_ids SET qso_id = :qso_id
WHERE member_id = :member_id AND qso_id = :old_id;

-- name: delete_known
DELETE FROM known_records WHERE member_id = :member_id AND qso_id = :qso_id;

-- name: delete_program_ids
DELETE FROM program_ids WHERE member_id = :member_id AND qso_id = :qso_id;

-- part: gone_by_act
-- Selects records of QSOs that an act has removed permanently. A later statement removes the act's rows in "former".
(member_id, qso_id) IN (
    SELECT gone.member_id, gone.qso_id FROM gone WHERE (gone.member_id, gone.qso_id, removed_by) IN (
        SELECT member_id, qso_id, edit FROM {rows_of_act}))

-- name: delete_known_of_act
DELETE FROM known_records WHERE {gone_by_act};

-- name: delete_program_ids_of_act
DELETE FROM program_ids WHERE {gone_by_act};

-- name: delete_member_known
DELETE FROM known_records
WHERE (member_id, at, mark, source) IN (
    SELECT member_id, at, mark, source FROM known_records WHERE member_id = :member_id LIMIT :limit);

-- name: delete_member_program_ids
DELETE FROM program_ids
WHERE (member_id, program, id) IN (
    SELECT member_id, program, id FROM program_ids WHERE member_id = :member_id LIMIT :limit);

-- name: list_all_known
-- Lists the records of one log, in parts.
SELECT source, at, mark, until, said, qso_id FROM known_records
WHERE member_id = :member_id AND (at, mark, source) > (:at, :mark, :source)
ORDER BY at, mark, source
LIMIT :limit;

-- name: check_known
SELECT printf('a record of member %d is stored as QSO %d, which belongs to another member', known_records.member_id, qso_id)
    AS problem
FROM known_records JOIN qsos ON qsos.id = qso_id
WHERE qsos.member_id <> known_records.member_id
UNION ALL
SELECT printf('an id of member %d refers to QSO %d, which belongs to another member', program_ids.member_id, qso_id) AS problem
FROM program_ids JOIN qsos ON qsos.id = qso_id
WHERE qsos.member_id <> program_ids.member_id
;

-- name: find_slot_below
-- Finds the slot of the QSO that comes after :count newer QSOs.
SELECT slot FROM qsos INDEXED BY qsos_by_contact
WHERE member_id = :member_id AND slot < :below
ORDER BY slot DESC
LIMIT 1 OFFSET :count;

-- name: list_near_pairs
-- Lists pairs of QSOs that start close to each other, both with the same station or both without a callsign. The slot
-- of the first QSO is between :above and :below.
SELECT one.slot AS slot, one.id AS one, other.id AS other, 0 AS length
FROM qsos AS one INDEXED BY qsos_by_contact CROSS JOIN qsos AS other INDEXED BY qsos_by_contact
WHERE one.member_id = :member_id AND one.slot > :above AND one.slot < :below
    AND other.member_id = :member_id AND other.slot IN (one.slot, one.slot + 1) AND other.worked_key IS one.worked_key
    AND other.slot_ms + 7200000 * (other.slot - one.slot) BETWEEN one.slot_ms AND one.slot_ms + :window
    AND (other.slot > one.slot OR other.slot_ms > one.slot_ms OR other.id > one.id)
ORDER BY one.slot DESC
LIMIT :limit;

-- name: list_long_pairs
-- Lists pairs whose second QSO starts later, but while the first contact is known to last. The slot of the record with
-- the end of the first contact is between :above and :below.
SELECT at / 7200000 AS slot, one.id AS one, other.id AS other, until - one.qso_at AS length
FROM known_records INDEXED BY known_records_long
    CROSS JOIN qsos AS one ON one.id = known_records.qso_id
    CROSS JOIN qsos AS other INDEXED BY qsos_by_contact
WHERE known_records.member_id = :member_id AND until IS NOT NULL
    AND at >= (:above + 1) * 7200000 AND at < :below * 7200000
    AND one.member_id = :member_id
    AND other.member_id = :member_id AND other.slot IN (one.slot, one.slot + 1, one.slot + 2, one.slot + 3)
    AND other.worked_key IS one.worked_key AND other.qso_at > one.qso_at + :window AND other.qso_at <= until
ORDER BY at DESC
LIMIT :limit;

-- name: have_ids_of_one_program
-- Checks whether the same program, or PoLo, has given two QSOs different ids.
SELECT 1 FROM program_ids AS one INDEXED BY program_ids_by_qso JOIN program_ids AS other INDEXED BY program_ids_by_qso
    ON other.member_id = one.member_id AND other.program = one.program
WHERE one.member_id = :member_id AND one.qso_id = :one AND other.qso_id = :other AND one.program <> 'QSOSYNC'
UNION ALL
SELECT 1 FROM qsos AS one JOIN qsos AS other
WHERE one.id = :one AND other.id = :other
    AND EXISTS (SELECT 1 FROM polo_records WHERE member_id = :member_id AND kind = 1 AND uuid = one.client_id)
    AND EXISTS (SELECT 1 FROM polo_records WHERE member_id = :member_id AND kind = 1 AND uuid = other.client_id)
LIMIT 1;

-- name: tell_apart
-- Stores that two QSOs are two contacts, as the member has decided. Each pair has a program name of its own, so that
-- the pair affects no other pair. Records cannot contain this name, because names of programs contain no spaces.
INSERT INTO program_ids (member_id, program, id, qso_id)
VALUES (:member_id, 'APART ' || :stamp, '1', :one), (:member_id, 'APART ' || :stamp, '2', :other);

-- name: delete_apart
-- Removes the member's decision that two QSOs are two contacts.
DELETE FROM program_ids
WHERE member_id = :member_id AND program IN (
    SELECT one.program
    FROM program_ids AS one INDEXED BY program_ids_by_qso JOIN program_ids AS other INDEXED BY program_ids_by_qso
        ON other.member_id = one.member_id AND other.program = one.program
    WHERE one.member_id = :member_id AND one.qso_id = :one AND other.qso_id = :other AND one.program GLOB 'APART *');

-- name: find_polo_of_qso
SELECT 1 FROM polo_records WHERE member_id = :member_id AND kind = 1 AND uuid = :client_id;
