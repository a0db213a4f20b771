-- The history of a log: acts, their edits, the states that the edits replaced, and removed QSOs.

-- name: find_last_act
-- Finds the last act, if a transaction's work can continue the act. This requires the same writer, the same kind of
-- work with the same subject, and no long pause. An act of synchronisation must not have lasted too long. An undo and a
-- merge are always separate acts. Otherwise "act" is 0, and "ordinal" is the ordinal of the next act.
SELECT continues * number AS act, continues * last AS last, continues * began_at AS began_at,
    ordinal + 1 - continues AS ordinal, states_so_far
FROM (
    SELECT number, last, began_at, ordinal, states_before + states AS states_so_far,
        :work NOT IN (2, 4) AND work = :work AND writer = :writer AND writer_number = :writer_number AND subject IS :subject
            AND pruned = 0 AND ended_at > :gap_since AND (:work <> 0 OR began_at > :sync_since)
            AND last = (SELECT last_edit FROM members WHERE id = member_id) AS continues
    FROM acts
    WHERE member_id = :member_id
    ORDER BY number DESC
    LIMIT 1) AS one;

-- name: find_act
-- Finds an undo, if this writer began it.
SELECT ordinal, began_at, states_before + states AS states_so_far
FROM acts
WHERE member_id = :member_id AND number = :number AND work = 2 AND writer = :writer
    AND writer_number = :writer_number AND pruned = 0;

-- name: find_last_edit
SELECT last_edit FROM members WHERE id = :member_id;

-- name: raise_last_edit
UPDATE members SET last_edit = last_edit + 1 WHERE id = :member_id RETURNING last_edit;

-- name: insert_act
INSERT INTO acts (member_id, number, last, ordinal, writer, writer_number, label, work, subject, takes_back,
    began_at, ended_at, states_before, operator)
VALUES (:member_id, :number, :number, :ordinal, :writer, :writer_number,
    CASE :writer WHEN 3 THEN (SELECT device FROM sessions WHERE id = :writer_number) END,
    :work, :subject, :takes_back, :began_at, :began_at, :states_before, :operator);

-- name: update_act
UPDATE acts SET last = :last, ended_at = :ended_at, created = created + :created, changed = changed + :changed,
    deleted = deleted + :deleted, revived = revived + :revived, states = states + :states,
    first_created = ifnull(first_created, :first_created), last_created = ifnull(:last_created, last_created)
WHERE member_id = :member_id AND number = :number;

-- name: insert_former
INSERT INTO former (member_id, edit, qso_id, at, previous_edit, restored_edit, state)
VALUES (:member_id, :edit, :qso_id, :at, :previous_edit, :restored_edit, :state);

-- name: insert_gone
INSERT INTO gone (member_id, qso_id, edit, removed_by, client_id)
VALUES (:member_id, :qso_id, :edit, :removed_by, :client_id);

-- name: delete_gone
DELETE FROM gone WHERE member_id = :member_id AND qso_id = :qso_id;

-- name: find_old_act
-- Finds the oldest act that is too old. Otherwise finds the member's oldest act, if the member has too many acts or
-- previous states.
SELECT member_id, number, last, pruned FROM (
    SELECT member_id, number, last, pruned FROM acts
    WHERE began_at <= :began_at
    ORDER BY began_at
    LIMIT 1) AS one
UNION ALL
SELECT member_id, number, last, pruned FROM acts
WHERE member_id = :member_id AND number = (SELECT min(number) FROM acts WHERE member_id = :member_id)
    AND number < :number
    AND (:states_so_far - states_before > :states OR :ordinal - ordinal >= :acts)
LIMIT 1;

-- name: update_act_pruned
UPDATE acts SET pruned = 1 WHERE member_id = :member_id AND number = :number;

-- part: rows_of_act
former
    WHERE member_id = :member_id AND edit BETWEEN :number AND :last
    ORDER BY edit, qso_id
    LIMIT :limit

-- name: delete_gone_of_act
-- Deletes the rows that belong to the rows in "former" that the next statement deletes.
DELETE FROM gone
WHERE (member_id, qso_id, removed_by) IN (
    SELECT member_id, qso_id, edit FROM {rows_of_act});

-- name: delete_former_of_act
DELETE FROM former
WHERE (member_id, edit, qso_id) IN (
    SELECT member_id, edit, qso_id FROM {rows_of_act});

-- name: delete_act
DELETE FROM acts WHERE member_id = :member_id AND number = :number;

-- name: find_oldest_act
SELECT member_id, number, last, pruned FROM acts
WHERE member_id = :member_id
ORDER BY number
LIMIT 1;

-- name: list_acts
-- :kind is an enum acts_kind.
SELECT acts.number, last, ordinal, writer, writer_number, work, subject, takes_back, began_at, ended_at,
    acts.created, changed, deleted, revived, first_created, last_created, states, pruned, operator,
    CASE writer WHEN 1 THEN api_keys.name WHEN 2 THEN upload_tokens.name ELSE label END AS name,
    CASE writer WHEN 1 THEN api_keys.revoked_at IS NOT NULL WHEN 2 THEN upload_tokens.revoked_at IS NOT NULL
        WHEN 3 THEN sessions.id IS NULL ELSE 0 END AS revoked
FROM acts
    LEFT JOIN api_keys ON writer = 1 AND api_keys.id = writer_number AND api_keys.member_id = acts.member_id
    LEFT JOIN upload_tokens
        ON writer = 2 AND upload_tokens.id = writer_number AND upload_tokens.member_id = acts.member_id
    LEFT JOIN sessions ON writer = 3 AND sessions.id = writer_number
        AND (sessions.member_id = acts.member_id OR operator IS NOT NULL)
WHERE acts.member_id = :member_id AND acts.number <= :number AND ended_at >= :since
    AND (:writer IS NULL OR (writer = :writer AND writer_number = :writer_number))
    AND CASE :kind
        WHEN 1 THEN acts.created > 0 AND work <> 1
        WHEN 2 THEN changed > 0
        WHEN 3 THEN deleted > 0
        WHEN 4 THEN work = 1
        ELSE 1 END
ORDER BY acts.number DESC
LIMIT :limit;

-- name: list_former
-- Lists the states that an act replaced, in the order of its edits.
SELECT edit, qso_id, at + :began_at AS at, state FROM former
WHERE member_id = :member_id AND (edit, qso_id) > (:edit, :qso_id) AND edit <= :last
ORDER BY edit, qso_id
LIMIT :limit;

-- name: list_created_or_gone
-- Lists QSOs that an act created, including QSOs that have been removed since.
SELECT id AS qso_id FROM qsos
WHERE id > :after AND id <= :last AND +member_id = :member_id
UNION ALL
SELECT qso_id FROM gone
WHERE member_id = :member_id AND qso_id > :after AND qso_id <= :last
ORDER BY qso_id
LIMIT :limit;

-- name: list_gone
-- Lists removed QSOs with their content, newest first, except QSOs whose clientId another QSO now has. "undone" means
-- that an undo of its creation removed the QSO.
SELECT gone.qso_id, removed_by AS edit, state, gone.edit = 0 AS undone,
    at + (SELECT began_at FROM acts
        WHERE acts.member_id = gone.member_id AND number <= removed_by
        ORDER BY number DESC
        LIMIT 1) AS at
FROM gone JOIN former ON former.member_id = gone.member_id AND former.edit = removed_by
    AND former.qso_id = gone.qso_id
WHERE gone.member_id = :member_id AND (removed_by, gone.qso_id) < (:edit, :before)
    AND NOT EXISTS (SELECT 1 FROM qsos WHERE qsos.client_id = gone.client_id)
ORDER BY removed_by DESC, gone.qso_id DESC
LIMIT :limit;

-- part: is_taken_back
-- Selects the acts to undo: one act, or the acts of some writers since a time. The plus keeps SQLite from using
-- :through as the index's upper bound, because a caller that continues from a place has a lower bound.
pruned = 0 AND number >= :oldest AND +number <= :through AND number <> :own
    AND iif(:act IS NOT NULL, number = :act, ended_at >= :since AND EXISTS (
        SELECT 1 FROM json_each(:writers) AS sent
        WHERE sent.value ->> 0 = writer AND sent.value ->> 1 = writer_number))

-- name: count_undo_acts
SELECT ifnull(sum(states + created), 0) AS total, ifnull(min(number), 0) AS oldest FROM acts
WHERE member_id = :member_id AND {is_taken_back};

-- name: find_undo_act
-- Finds the act to which an edit belongs, and whether the act must be undone.
SELECT number, last, began_at, last >= :edit AND {is_taken_back} AS is_in FROM acts
WHERE member_id = :member_id AND number <= :edit
ORDER BY number DESC
LIMIT 1;

-- name: find_undo_place
-- Finds the next place before a place; see struct undo_state. The QSOs that an act created come after the QSOs that its
-- edits have written.
SELECT place FROM (
    SELECT number, max(ifnull((SELECT 2 * max(edit) + 1 FROM former
                WHERE former.member_id = acts.member_id AND edit BETWEEN number AND min(last, (:place - 2) / 2)), 0),
            iif(first_created IS NOT NULL AND 2 * number < :place, 2 * number, 0)) AS place
    FROM acts
    WHERE member_id = :member_id AND number <= (:place - 1) / 2 AND {is_taken_back}) AS one
WHERE place > 0
ORDER BY number DESC
LIMIT 1;

-- name: list_undo_place
-- Lists the QSOs at a place. The plus prevents SQLite from reading the member's whole log.
SELECT qso_id, :place AS place FROM former
WHERE member_id = :member_id AND edit = :place / 2 AND :place % 2 = 1 AND qso_id > :after
UNION ALL
SELECT qsos.id AS qso_id, :place AS place
FROM acts CROSS JOIN qsos ON qsos.id > max(:after, first_created - 1) AND qsos.id <= last_created
WHERE acts.member_id = :member_id AND number = :place / 2 AND :place % 2 = 0 AND +qsos.member_id = :member_id
ORDER BY qso_id
LIMIT :limit;

-- name: list_removed
-- Lists deleted QSOs, newest first, except QSOs whose creation was undone, or whose clientId another QSO now has.
SELECT qso_id, removed_by AS place FROM gone
WHERE member_id = :member_id AND (removed_by, qso_id) < (:place, :after) AND edit > 0
    AND NOT EXISTS (SELECT 1 FROM qsos WHERE qsos.client_id = gone.client_id)
ORDER BY removed_by DESC, qso_id DESC
LIMIT :limit;

-- part: earlier_edits
-- Lists the edits from which a QSO's content originates: the edit of its current content, and the positions from which
-- undos have moved the QSO.
SELECT edit FROM qsos WHERE id = :qso_id AND member_id = :member_id
    UNION
    SELECT edit FROM gone WHERE member_id = :member_id AND qso_id = :qso_id
    UNION
    SELECT edit FROM former INDEXED BY former_of_undo
    WHERE member_id = :member_id AND qso_id = :qso_id AND restored_edit IS NOT NULL
    UNION
    SELECT previous_edit FROM touches CROSS JOIN former
    WHERE member_id = :member_id AND edit = of_edit AND qso_id = :qso_id

-- name: list_qso_touches
-- Lists the writes to a QSO, newest first. The search begins at the QSO's current content, and at the positions from
-- which undos have moved the QSO. The recursion has the same order, because edit numbers rise, so the newest write is
-- found early. Without the LIMIT in the recursion, SQLite would omit its order, which seems to be unused.
WITH RECURSIVE touches(of_edit) AS (
    {earlier_edits} AND previous_edit >= :first
    ORDER BY 1 DESC LIMIT -1)
SELECT qso_id, edit, previous_edit, restored_edit, state,
    at + (SELECT began_at FROM acts
        WHERE acts.member_id = former.member_id AND number <= former.edit
        ORDER BY number DESC
        LIMIT 1) AS at
FROM touches CROSS JOIN former
WHERE member_id = :member_id AND edit = of_edit AND qso_id = :qso_id AND edit BETWEEN :first AND :last
LIMIT :limit;

-- name: find_beginning
-- Finds the act to which an edit belongs.
SELECT iif(last >= :edit, began_at, 0) AS began_at FROM acts
WHERE member_id = :member_id AND number <= :edit
ORDER BY number DESC
LIMIT 1;

-- name: find_qso_touch_after
-- Finds the next write to a QSO whose content an edit wrote. The search begins at the next edit, because consecutive
-- edits often write the same QSO. Only if the next edit wrote another QSO does the search begin at the QSO's current
-- content.
WITH RECURSIVE touches(of_edit) AS (
    {earlier_edits} AND previous_edit > :edit)
SELECT state FROM former WHERE member_id = :member_id AND edit = :edit + 1 AND qso_id = :qso_id
UNION ALL
SELECT state FROM (
    SELECT state
    FROM touches CROSS JOIN former
    WHERE member_id = :member_id AND edit = of_edit AND qso_id = :qso_id AND edit > :edit
    ORDER BY edit
    LIMIT 1) AS one
LIMIT 1;

-- name: find_gone
SELECT edit, removed_by, client_id FROM gone WHERE member_id = :member_id AND qso_id = :qso_id;

-- name: list_gone_rivals
-- Lists other QSOs that had this clientId and were deleted later, but not by this undo.
SELECT rival.qso_id FROM gone AS rival JOIN gone AS mine
    ON mine.member_id = rival.member_id AND mine.qso_id = :qso_id AND mine.removed_by < rival.removed_by
WHERE rival.client_id = :client_id AND rival.member_id = :member_id AND rival.removed_by <> :number
LIMIT :limit;

-- name: find_client_id_holder
SELECT id, member_id FROM qsos WHERE client_id = :client_id;

-- name: find_own_qso
SELECT member_id, edit, confirmed_by, {stored}
FROM qsos
WHERE id = :id AND member_id = :member_id;

-- name: revive_qso
-- Restores the QSO under its previous id.
INSERT INTO qsos (id, member_id, edit, worked_unicode, operator_unicode, {inserted})
VALUES (:id, :member_id, :edit, :worked_unicode, :operator_unicode, {:inserted});

-- name: insert_ended_spot
INSERT INTO ended_spots (qso_id) VALUES (:qso_id);

-- name: count_deleted
SELECT count(*) AS rows FROM gone WHERE member_id = :member_id AND edit > 0;

-- name: check_history
SELECT printf('the content of QSO %d is from an edit that its log does not contain', qsos.id) AS problem
FROM qsos JOIN members ON members.id = member_id
WHERE qsos.edit > members.last_edit OR qsos.edit < 0
UNION ALL
SELECT printf('act %d of member %s ends after the last edit of the log', number, callsign) AS problem
FROM acts JOIN members ON members.id = member_id
WHERE last > last_edit
UNION ALL
SELECT printf('act %d of member %s overlaps the previous act', number, callsign) AS problem
FROM (SELECT member_id, number, lag(last) OVER (PARTITION BY member_id ORDER BY number) AS before FROM acts)
    JOIN members ON members.id = member_id
WHERE before >= number
UNION ALL
SELECT printf('act %d of member %s counts %d earlier versions, but has %d', number, callsign, states, found) AS problem
FROM (SELECT member_id, number, states,
        (SELECT count(*) FROM former
         WHERE former.member_id = acts.member_id AND edit BETWEEN acts.number AND acts.last) AS found
    FROM acts WHERE NOT pruned)
    JOIN members ON members.id = member_id
WHERE states <> found
UNION ALL
SELECT printf('an earlier version of QSO %d does not belong to an act', qso_id) AS problem
FROM former
WHERE edit > ifnull((SELECT last FROM acts
    WHERE acts.member_id = former.member_id AND number <= edit ORDER BY number DESC LIMIT 1), 0)
UNION ALL
SELECT printf('QSO %d exists, but is recorded as deleted', qsos.id) AS problem
FROM gone JOIN qsos ON qsos.id = qso_id
UNION ALL
SELECT printf('QSO %d is recorded as deleted, but without its content', qso_id) AS problem
FROM gone
WHERE NOT EXISTS (SELECT 1 FROM former
    WHERE former.member_id = gone.member_id AND edit = removed_by AND former.qso_id = gone.qso_id
        AND state IS NOT NULL);
