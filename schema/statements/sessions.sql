-- Signed-in browsers, passwords, and the links that sign a browser in.

-- name: find_session
-- Finds the member whom a session identifies. The session must not have ended, and its member must be active.
SELECT sessions.id, 'WRITE' AS scope, member_id, callsign, locator, log_revision, log_epoch,
    last_stamp, last_used_day, fingerprint, is_operator, proved_at, may_set_password
FROM sessions
    JOIN members ON members.id = sessions.member_id
    JOIN logbook ON logbook.id = 1
WHERE fingerprint = :fingerprint AND last_used_day >= :first_day AND active = 1;

-- name: find_sign_in_name
-- Finds the owner of a callsign, in any spelling. Only an older logbook can have several such owners; then finds the
-- owner whose callsign has exactly this spelling. Otherwise finds the owner of a login name.
SELECT id, callsign, password_hash, active FROM members
WHERE callsign_key = :callsign
    AND (callsign = :name OR (SELECT count(*) FROM members WHERE callsign_key = :callsign) = 1)
UNION ALL
SELECT id, callsign, password_hash, active FROM members WHERE login = :name
LIMIT 1;

-- name: find_sign_in
SELECT id, callsign, password_hash, active FROM members WHERE id = :member_id;

-- name: find_password_owner
-- Checks whether the password that was verified is still the member's password.
SELECT id FROM members WHERE id = :member_id AND active = 1 AND password_hash = :password_hash;

-- name: insert_session
INSERT INTO sessions (member_id, fingerprint, device, created_at, last_used_day, proved_at, may_set_password)
SELECT id, :fingerprint, :device, :created_at, :last_used_day, :proved_at, :may_set_password
FROM members WHERE id = :member_id AND active = 1 AND is_station = 0;

-- name: delete_surplus_sessions
-- Deletes all of the member's sessions, except the new session and the :kept sessions that were used last.
DELETE FROM sessions WHERE id IN (
    SELECT id FROM sessions WHERE member_id = :member_id AND id <> :id
    ORDER BY last_used_day DESC, id DESC LIMIT -1 OFFSET :kept);

-- name: delete_old_sessions
DELETE FROM sessions WHERE id IN (SELECT id FROM sessions WHERE last_used_day < :first_day LIMIT :most);

-- name: update_session_last_used
UPDATE sessions SET last_used_day = :last_used_day WHERE id = :id;

-- name: prove_session
UPDATE sessions SET proved_at = :proved_at WHERE id = :id AND member_id = :member_id;

-- name: settle_session
-- Records a proof of identity after the member has set a password.
UPDATE sessions SET proved_at = :proved_at, may_set_password = 0 WHERE id = :id AND member_id = :member_id;

-- name: list_sessions
SELECT id, device, created_at, last_used_day FROM sessions
WHERE member_id = :member_id AND last_used_day >= :first_day
ORDER BY last_used_day DESC, id DESC;

-- name: delete_session
DELETE FROM sessions WHERE id = :id AND member_id = :member_id;

-- name: delete_sessions
DELETE FROM sessions WHERE member_id = :member_id AND id <> :kept;

-- name: set_password
UPDATE members SET password_hash = :password_hash, password_set_at = :password_set_at WHERE id = :member_id;

-- name: insert_link
INSERT INTO sign_in_links (member_id, kind, fingerprint, made_at, expires_at)
SELECT id, :kind, :fingerprint, :made_at, :expires_at
FROM members WHERE id = :member_id AND active = 1 AND is_station = 0;

-- name: replace_links
UPDATE sign_in_links SET replaced_at = :replaced_at
WHERE member_id = :member_id AND kind BETWEEN :first_kind AND :last_kind AND used_at IS NULL AND replaced_at IS NULL;

-- name: find_link
-- Finds a link. The outcome is an enum link_outcome. A link that was created while the clock was more than a day ahead
-- counts as expired. The sender is the operator who created an invitation on the page.
SELECT sign_in_links.id, member_id, kind, callsign, expires_at,
    (SELECT operator FROM operator_log WHERE at = made_at AND act = 'member invite' AND subject = callsign LIMIT 1)
        AS sender,
    CASE WHEN active = 0 THEN 1 WHEN used_at IS NOT NULL THEN 2 WHEN replaced_at IS NOT NULL THEN 4
        WHEN expires_at <= :now OR made_at - :now > 86400000 THEN 3 ELSE 0 END AS outcome
FROM sign_in_links JOIN members ON members.id = member_id
WHERE fingerprint = :fingerprint;

-- name: use_link
UPDATE sign_in_links SET used_at = :used_at WHERE id = :id;

-- name: delete_surplus_links
DELETE FROM sign_in_links WHERE id IN (
    SELECT id FROM sign_in_links INDEXED BY sign_in_links_by_member WHERE member_id = :member_id AND kind = :kind
    ORDER BY id DESC LIMIT -1 OFFSET :kept);

-- name: delete_old_links
DELETE FROM sign_in_links WHERE id IN (SELECT id FROM sign_in_links WHERE expires_at < :before LIMIT :most);

-- name: list_all_sessions
-- Used by a restore: lists all sessions.
SELECT sessions.id, member_id, members.created_at AS member_created_at, fingerprint, device,
    sessions.created_at, last_used_day, proved_at, may_set_password
FROM sessions JOIN members ON members.id = member_id;

-- name: restore_session
INSERT INTO sessions (id, member_id, fingerprint, device, created_at, last_used_day, proved_at, may_set_password)
SELECT :id, id, :fingerprint, :device, :created_at, :last_used_day, :proved_at, :may_set_password
FROM members WHERE id = :member_id AND created_at = :member_created_at;

-- name: delete_all_sessions
DELETE FROM sessions;

-- name: list_all_links
-- Used by a restore: lists all links, including used and expired links.
SELECT sign_in_links.id, member_id, created_at AS member_created_at, kind, fingerprint, made_at, expires_at, used_at,
    replaced_at
FROM sign_in_links JOIN members ON members.id = member_id;

-- name: restore_link
INSERT INTO sign_in_links (id, member_id, kind, fingerprint, made_at, expires_at, used_at, replaced_at)
SELECT :id, id, :kind, :fingerprint, :made_at, :expires_at, :used_at, :replaced_at
FROM members WHERE id = :member_id AND created_at = :member_created_at;

-- name: delete_all_links
DELETE FROM sign_in_links;
