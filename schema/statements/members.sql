-- Members.

-- part: members_with_counts
SELECT id, callsign, locator, login, active, is_operator, is_station, created_at,
    password_hash IS NOT NULL AS has_password, claims, log_page, channel_plan,
    (SELECT since FROM announcers WHERE member_id = members.id) AS announces_since,
    (SELECT count(*) FROM qsos WHERE member_id = members.id) AS qso_count,
    (SELECT count(*) FROM api_keys WHERE member_id = members.id AND {revoked} IS NULL) AS active_key_count,
    (SELECT count(*) FROM sessions WHERE member_id = members.id) AS session_count,
    (SELECT max(last_used_day) FROM api_keys WHERE member_id = members.id) AS last_used_day
FROM members

-- name: insert_member
INSERT INTO members (callsign, callsign_unicode, locator, login, is_operator, is_station, created_at)
VALUES (:callsign, :callsign_unicode, :locator, :login, :is_operator, :is_station, :created_at);

-- name: find_member
{members_with_counts}
WHERE callsign = :callsign;

-- name: find_similar_member
{members_with_counts}
WHERE callsign_key = :callsign;

-- name: list_members
{members_with_counts}
ORDER BY callsign;

-- name: update_member_active
-- Enables or disables a member. Changes no row if the stored value is already :on.
UPDATE members SET active = :on WHERE id = :id AND active <> :on;

-- name: update_member_operator
UPDATE members SET is_operator = :on WHERE id = :id AND is_operator <> :on AND is_station = 0;

-- name: find_last_operator
-- Finds this member only if no other operator is active.
SELECT id FROM members
WHERE id = :id AND is_operator = 1 AND active = 1
    AND NOT EXISTS (SELECT 1 FROM members WHERE is_operator = 1 AND active = 1 AND id <> :id);

-- name: update_member
-- Sets the locator and the login. If a value is NULL, the stored value is kept.
UPDATE members SET locator = ifnull(:locator, locator), login = ifnull(:login, login) WHERE id = :id;

-- name: update_channel_plan
UPDATE members SET channel_plan = :channel_plan WHERE id = :id;

-- name: update_member_callsign
-- Also changes a login name that is the default name for the old callsign.
UPDATE members SET callsign = :callsign, callsign_unicode = :callsign_unicode,
    login = iif(login = :old_login AND NOT EXISTS (SELECT 1 FROM members WHERE login = :new_login),
        :new_login, login)
WHERE id = :id;

-- name: delete_member_keys
DELETE FROM api_keys WHERE member_id = :member_id;

-- name: insert_deleted_member
INSERT OR IGNORE INTO deleted_members (id, created_at)
SELECT id, created_at FROM members WHERE id = :member_id;

-- name: delete_member
DELETE FROM members WHERE id = :member_id;

-- name: update_log_revision
UPDATE members SET log_revision = :log_revision WHERE id = :id;

-- name: update_log_revision_of_qso
UPDATE members SET log_revision = :log_revision
WHERE id = (SELECT member_id FROM qsos WHERE id = :id);

-- name: list_activity
-- Used by a restore: lists the members' passwords, and which members are active, are operators, and take part in
-- confirmations by peers.
SELECT id, created_at, active, is_operator, claims, password_hash, password_set_at FROM members;

-- name: update_activity
-- Used by a restore: keeps a member's state (active, operator, claimant) and the later password.
UPDATE members SET active = :active, is_operator = :is_operator, claims = :claims,
    password_hash = CASE WHEN password_set_at <= :password_set_at THEN :password_hash ELSE password_hash END,
    password_set_at = max(password_set_at, :password_set_at)
WHERE id = :id AND created_at = :created_at;

-- name: list_all_without_claims
-- Used by a restore: lists the members whose QSOs no peer may confirm.
SELECT id, created_at FROM members WHERE claims = 0;

-- name: list_deleted_members
-- Used by a restore: lists the members who must stay deleted.
SELECT id, created_at FROM deleted_members;

-- name: insert_deletion
-- Used by a restore: records a deleted member, who remains deleted.
INSERT OR IGNORE INTO deleted_members (id, created_at) VALUES (:id, :created_at);

-- name: find_deleted_member
-- Checks whether a backup still contains a member who has been deleted since.
SELECT id FROM members WHERE id = :id AND created_at = :created_at;

-- name: find_feed_secret
SELECT feed_secret FROM members WHERE id = :id AND feed_secret IS NOT NULL;

-- name: find_feed_member
-- Finds a member by the name that a client of the cluster feed sends.
SELECT id, log_revision, feed_secret, password_set_at FROM members
WHERE callsign_key = :callsign AND active = 1 AND feed_secret IS NOT NULL;

-- name: find_feed_revision
SELECT id, log_revision, password_set_at FROM members WHERE id = :id AND active = 1;

-- name: write_feed_secret
-- Writes the secret only once, because another secret would change the member's code.
UPDATE members SET feed_secret = :feed_secret WHERE id = :id AND feed_secret IS NULL;

-- name: list_all_feed_secrets
-- Used when a backup from before the secrets were created is restored: lists the secrets.
SELECT id, created_at, feed_secret FROM members WHERE feed_secret IS NOT NULL;

-- name: restore_feed_secret
UPDATE members SET feed_secret = :feed_secret
WHERE id = :id AND created_at = :created_at AND feed_secret IS NULL;
