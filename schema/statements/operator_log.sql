-- What operators did.

-- name: insert_operator_act
INSERT INTO operator_log (at, operator, act, subject, details) VALUES (:at, :operator, :act, :subject, :details);

-- name: insert_operator_act_on_member
INSERT INTO operator_log (at, operator, act, subject, details)
SELECT :at, :operator, :act, callsign, :details FROM members WHERE id = :member_id;

-- name: list_operator_acts
SELECT id, at, operator, act, subject, details FROM operator_log
WHERE id < :before
ORDER BY id DESC LIMIT :limit;

-- name: delete_old_operator_acts
DELETE FROM operator_log WHERE id IN (SELECT id FROM operator_log WHERE at < :before LIMIT :most);

-- name: list_all_operator_acts
-- For a restore: what was done since the backup.
SELECT at, operator, act, subject, details FROM operator_log ORDER BY id;

-- name: restore_operator_act
INSERT INTO operator_log (at, operator, act, subject, details)
SELECT :at, :operator, :act, :subject, :details
WHERE NOT EXISTS (SELECT 1 FROM operator_log WHERE at = :at AND act = :act AND subject IS :subject);
