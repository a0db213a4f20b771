-- The operators' activity log.

-- name: insert_operator_act
-- Records an act. If the act concerns an existing member, the subject is the member's current callsign.
INSERT INTO operator_log (at, operator, act, subject, details)
SELECT :at, :operator, :act, CASE WHEN :member_id IS NULL THEN :subject ELSE callsign END, :details
FROM (SELECT :member_id AS number) AS one LEFT JOIN members ON members.id = number
WHERE number IS NULL OR members.id IS NOT NULL;

-- name: list_operator_acts
SELECT id, at, operator, act, subject, details FROM operator_log
WHERE id < :before
ORDER BY id DESC LIMIT :limit;

-- name: delete_old_operator_acts
DELETE FROM operator_log WHERE id IN (SELECT id FROM operator_log WHERE at < :before LIMIT :most);

-- name: list_all_operator_acts
-- Used by a restore: lists all acts. restore_operator_act omits acts that the backup contains.
SELECT at, operator, act, subject, details FROM operator_log ORDER BY id;

-- name: restore_operator_act
INSERT INTO operator_log (at, operator, act, subject, details)
SELECT :at, :operator, :act, :subject, :details
WHERE NOT EXISTS (SELECT 1 FROM operator_log WHERE at = :at AND act = :act AND subject IS :subject);
