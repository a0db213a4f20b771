-- Passkeys, and the challenges that they answer.

-- name: read_challenge_secret
SELECT challenge_secret, last_stamp, identity FROM logbook WHERE id = 1;

-- name: answer_challenge
-- Stores the time of an answered challenge, if it is later than the session's last answered challenge.
UPDATE sessions SET challenged_at = :challenged_at
WHERE fingerprint = :fingerprint AND challenged_at < :challenged_at;

-- name: insert_passkey
-- Inserts the passkey only if no passkey has the same id from its authenticator.
INSERT INTO passkeys (member_id, name, credential, point, sign_count, challenged_at, created_at)
SELECT :member_id, :name, :credential, :point, :sign_count, :challenged_at, :created_at
WHERE NOT EXISTS (SELECT 1 FROM passkeys WHERE credential = :credential);

-- name: list_passkeys
SELECT id, name, credential, created_at, last_used_day, copied_at
FROM passkeys WHERE member_id = :member_id ORDER BY id;

-- name: find_passkey
-- Finds a passkey of an active member.
SELECT passkeys.id, member_id, point FROM passkeys JOIN members ON members.id = member_id
WHERE credential = :credential AND active = 1;

-- name: find_passkey_use
-- Finds a passkey if the answered challenge is later than the passkey's last challenge. If the passkey has a counter
-- that has not risen, the passkey was copied.
SELECT (sign_count > 0 OR :sign_count > 0) AND :sign_count <= sign_count AS is_copy
FROM passkeys JOIN members ON members.id = member_id
WHERE passkeys.id = :id AND active = 1 AND challenged_at < :challenged_at;

-- name: use_passkey
UPDATE passkeys SET sign_count = :sign_count, challenged_at = :challenged_at, last_used_day = :last_used_day
WHERE id = :id;

-- name: note_passkey_copy
UPDATE passkeys SET challenged_at = :challenged_at, copied_at = :copied_at WHERE id = :id;

-- name: rename_passkey
UPDATE passkeys SET name = :name WHERE id = :id AND member_id = :member_id;

-- name: delete_passkey
DELETE FROM passkeys WHERE id = :id AND member_id = :member_id;

-- name: delete_passkeys
DELETE FROM passkeys WHERE member_id = :member_id;

-- name: forget_passkeys
-- Used by a restore: if the replaced logbook contains the member, its passkeys replace the backup's passkeys.
DELETE FROM passkeys WHERE member_id = (SELECT id FROM members WHERE id = :id AND created_at = :created_at);

-- name: list_all_passkeys
SELECT passkeys.id, member_id, members.created_at AS member_created_at, name, credential, point, sign_count,
    challenged_at, passkeys.created_at, last_used_day, copied_at
FROM passkeys JOIN members ON members.id = member_id;

-- name: restore_passkey
INSERT INTO passkeys (id, member_id, name, credential, point, sign_count, challenged_at, created_at, last_used_day,
    copied_at)
SELECT :id, id, :name, :credential, :point, :sign_count, :challenged_at, :created_at, :last_used_day, :copied_at
FROM members WHERE id = :member_id AND created_at = :member_created_at
    AND NOT EXISTS (SELECT 1 FROM passkeys WHERE credential = :credential OR id = :id);
