-- QSOs. The build replaces lists in braces with columns of the field table (src/build/embed-sql). When a program starts,
-- it checks that each statement has all columns that the field table requires.

-- name: insert_qso
INSERT INTO qsos (member_id, edit, token_id, worked_unicode, operator_unicode, {inserted})
VALUES (:member_id, :edit, :token_id, :worked_unicode, :operator_unicode, {:inserted});

-- name: update_qso
-- Updates a QSO. If an unconfirmed QSO changes, claimed_at is cleared, because the new content was never confirmed.
UPDATE qsos SET edit = :edit, token_id = iif(:is_changed AND token_id IS NOT :token_id, NULL, token_id),
    worked_unicode = :worked_unicode, operator_unicode = :operator_unicode, {updated},
    claimed_at = CASE WHEN edit = :edit OR coalesce(confirmed_by, claim_id) IS NOT NULL THEN claimed_at END
WHERE id = :id;

-- name: delete_qso
DELETE FROM qsos WHERE id = :id;

-- name: find_qso
SELECT member_id, edit, confirmed_by, {stored}
FROM qsos
WHERE client_id = :client_id;

-- name: find_qso_by_id_and_time
-- Finds a QSO by its id, which is the only id of a QSO without a clientId.
SELECT member_id, edit, confirmed_by, {stored}
FROM qsos
WHERE id = :id AND client_id IS NULL;

-- name: find_last_qso_id
SELECT max(id) AS id FROM qsos;

-- name: update_client_id
-- Assigns a clientId in the copy of a backup from which one member's log is restored.
UPDATE qsos SET client_id = :client_id WHERE id = :id;

-- name: update_created_at
-- Gives a restored QSO its earlier creation time.
UPDATE qsos SET created_at = :created_at WHERE id = :id;

-- name: find_next_qso
SELECT id, synced_at, confirmed_by FROM qsos
WHERE member_id = :member_id AND (synced_at, id) > (:synced_at, :id) AND synced_at < :before
ORDER BY synced_at, id
LIMIT 1;

-- name: list_qsos
SELECT {stored}
FROM qsos
WHERE member_id = :member_id AND (synced_at, id) > (:synced_at, :id)
ORDER BY synced_at, id
LIMIT :limit;

-- name: skip_qsos
-- Finds the QSO after the next :before_last QSOs, if another QSO follows. Reads only the index.
SELECT synced_at, id FROM (
    SELECT synced_at, id FROM qsos
    WHERE member_id = :member_id AND (synced_at, id) > (:synced_at, :id)
    ORDER BY synced_at, id
    LIMIT 1 OFFSET :before_last) AS one
WHERE EXISTS (
    SELECT 1 FROM qsos WHERE member_id = :member_id AND (qsos.synced_at, qsos.id) > (one.synced_at, one.id));

-- name: count_member_qsos
-- Counts a member's QSOs. Reads only the index.
SELECT count(*) AS qsos FROM qsos WHERE member_id = :member_id;

-- name: list_ids
-- Lists the ids of a member's QSOs. Reads only the index.
SELECT id, client_id FROM qsos
WHERE member_id = :member_id
ORDER BY synced_at, id;

-- name: list_qsos_by_id
SELECT {stored}
FROM qsos
WHERE id IN (
    SELECT id FROM qsos INDEXED BY qsos_by_change
    WHERE member_id = :member_id AND id > :id
    ORDER BY id
    LIMIT :limit)
ORDER BY id;
