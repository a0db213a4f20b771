-- Extra fields: fields of imported records for which the table "qsos" has no column. A QSO's extra fields are in the
-- row with the last edit up to the edit of the QSO's content.

-- name: find_any_leftovers
SELECT 1 AS found FROM leftovers WHERE member_id = :member_id LIMIT 1;

-- name: find_leftovers
SELECT fields
FROM qsos JOIN leftovers
    ON leftovers.member_id = qsos.member_id AND qso_id = qsos.id AND leftovers.edit <= qsos.edit
WHERE qsos.id = :id AND qsos.member_id = :member_id
ORDER BY leftovers.edit DESC
LIMIT 1;

-- name: insert_leftovers
-- Stores extra fields. REPLACE is not used, because it would not run the trigger that counts deleted rows.
INSERT INTO leftovers (member_id, qso_id, edit, fields)
VALUES (:member_id, :qso_id, :edit, :fields)
ON CONFLICT (member_id, qso_id, edit) DO UPDATE SET fields = excluded.fields;

-- name: insert_inherited_leftovers
-- Copies the extra fields of the previous content to the new content. Content that was undone can have a row with later
-- extra fields, which new content must not inherit.
INSERT INTO leftovers (member_id, qso_id, edit, fields)
SELECT :member_id, :qso_id, :edit, ifnull((SELECT fields FROM leftovers
    WHERE member_id = :member_id AND qso_id = :qso_id AND edit <= :previous_edit
    ORDER BY edit DESC
    LIMIT 1), x'')
WHERE EXISTS (SELECT 1 FROM leftovers
    WHERE member_id = :member_id AND qso_id = :qso_id AND edit > :previous_edit)
ON CONFLICT (member_id, qso_id, edit) DO UPDATE SET fields = excluded.fields;

-- name: delete_former_leftovers
DELETE FROM leftovers WHERE member_id = :member_id AND qso_id = :qso_id AND edit < :edit;

-- name: delete_leftovers
DELETE FROM leftovers WHERE member_id = :member_id AND qso_id = :qso_id;

-- name: delete_leftovers_of_act
-- Removes extra fields of QSOs that an act removed or replaced, before the act's rows in "former" are removed. If an
-- undo moved a QSO to the content of another edit, all of the QSO's extra fields are kept.
DELETE FROM leftovers
WHERE (member_id, qso_id) IN (
    SELECT member_id, qso_id FROM {rows_of_act})
    AND (EXISTS (SELECT 1 FROM gone
            WHERE gone.member_id = leftovers.member_id AND gone.qso_id = leftovers.qso_id
                AND removed_by BETWEEN :number AND :last)
        OR EXISTS (SELECT 1 FROM leftovers AS next
            WHERE next.member_id = leftovers.member_id AND next.qso_id = leftovers.qso_id
                AND next.edit > leftovers.edit AND next.edit <= :last)
            AND NOT EXISTS (SELECT 1 FROM former AS undone INDEXED BY former_of_undo
                WHERE undone.member_id = leftovers.member_id AND undone.qso_id = leftovers.qso_id
                    AND restored_edit IS NOT NULL));

-- name: delete_member_leftovers
DELETE FROM leftovers
WHERE (member_id, qso_id, edit) IN (
    SELECT member_id, qso_id, edit FROM leftovers
    WHERE member_id = :member_id
    LIMIT :limit);

-- name: list_leftovers
-- Lists all extra fields, including the extra fields of QSOs that can be restored.
SELECT qso_id, edit, fields FROM leftovers
WHERE member_id = :member_id AND (qso_id, edit) > (:qso_id, :edit) AND length(fields) > 0
ORDER BY qso_id, edit
LIMIT :limit;

-- name: check_leftovers
SELECT printf('extra fields are stored for QSO %d of member %d, which does not exist', qso_id, leftovers.member_id) AS problem
FROM leftovers JOIN members ON members.id = leftovers.member_id
WHERE NOT EXISTS (SELECT 1 FROM qsos WHERE qsos.id = qso_id AND qsos.member_id = leftovers.member_id)
    AND NOT EXISTS (SELECT 1 FROM gone WHERE gone.member_id = leftovers.member_id AND gone.qso_id = leftovers.qso_id)
GROUP BY leftovers.member_id, qso_id;
