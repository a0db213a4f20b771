-- API keys.

-- part: maker_may
-- Checks that the creator of a station's key or token is active and may operate the station. Keys and tokens without a
-- recorded creator pass the check.
(made_by IS NULL OR makers.active = 1 AND EXISTS (
        SELECT 1 FROM grants WHERE station_id = members.id AND grants.member_id = made_by AND {grant_holds}))

-- part: revoked
-- Returns the time of a revocation. A key or token whose grant has expired counts as revoked at the expiry.
ifnull(revoked_at, (
        SELECT until FROM grants WHERE station_id = members.id AND grants.member_id = made_by AND until <= :now))

-- part: listed_keys
SELECT api_keys.id, members.callsign, name, scope, hint, api_keys.created_at, api_keys.last_used_day, last_program,
    makers.callsign AS operator, {revoked} AS revoked_at, session_id IS NOT NULL AS is_app,
    (SELECT device FROM sessions WHERE id = session_id AND sessions.member_id = ifnull(made_by, api_keys.member_id))
        AS browser
FROM api_keys
    JOIN members ON members.id = member_id
    LEFT JOIN members AS makers ON makers.id = made_by

-- name: insert_key
INSERT INTO api_keys (member_id, name, scope, fingerprint, hint, created_at, made_by, session_id)
VALUES (:member_id, :name, :scope, :fingerprint, :hint, :created_at, :made_by, :session_id);

-- name: find_identity
-- Finds the member whom a key identifies. The key must work, and its member must be active. A station's key works while
-- an active member who created it may operate the station.
SELECT api_keys.id, scope, api_keys.member_id, members.callsign, members.locator, members.log_revision, log_epoch,
    last_stamp, last_used_day, last_program, fingerprint, made_by, members.is_station, members.channel_plan,
    makers.callsign AS operator
FROM api_keys
    JOIN members ON members.id = api_keys.member_id
    JOIN logbook ON logbook.id = 1
    LEFT JOIN members AS makers ON makers.id = made_by
WHERE fingerprint = :fingerprint AND revoked_at IS NULL AND members.active = 1
    AND {maker_may};

-- name: find_key_state
-- Finds a key in the logbook, and the key's owner, even if the key does not work. For a station's key, the owner is the
-- creator if the creator is disabled.
SELECT iif(makers.active = 0 AND revoked_at IS NULL, makers.callsign, members.callsign) AS callsign,
    members.active AND ifnull(makers.active, 1) AS active, {revoked} AS revoked_at
FROM api_keys
    JOIN members ON members.id = member_id
    LEFT JOIN members AS makers ON makers.id = made_by
WHERE fingerprint = :fingerprint;

-- name: list_keys
{listed_keys}
WHERE member_id = :member_id
ORDER BY api_keys.id;

-- name: list_all_keys
{listed_keys}
ORDER BY api_keys.id;

-- name: find_last_use
-- Finds the last day on which a key of the member was used, or -1 if no key was ever used.
SELECT ifnull(max(last_used_day), -1) AS last_used_day FROM api_keys WHERE member_id = :member_id;

-- name: update_key_last_used
UPDATE api_keys SET last_used_day = :last_used_day, last_program = :last_program WHERE id = :id;

-- name: revoke_key
UPDATE api_keys SET revoked_at = :revoked_at
WHERE id = :id AND member_id = :member_id AND revoked_at IS NULL AND (:made_by IS NULL OR made_by = :made_by);

-- name: has_key_name
-- Checks whether the member already has an active key with this name from this creator.
SELECT 1 FROM api_keys
WHERE member_id = :member_id AND made_by IS :made_by AND revoked_at IS NULL AND name = :name;

-- name: has_active_key
SELECT 1 FROM api_keys WHERE id = :id AND member_id = :member_id AND revoked_at IS NULL;

-- part: own_key
-- Checks whether a key is for the member's own log, or was created by the member for a station.
(made_by = :member_id OR made_by IS NULL AND member_id = :member_id)

-- name: list_app_keys
-- Lists a member's working keys for the app, each with the session of its browser, or 0 if the browser is not signed
-- in.
SELECT api_keys.id, name, members.callsign, api_keys.created_at, api_keys.last_used_day,
    ifnull((SELECT sessions.id FROM sessions
        WHERE sessions.id = session_id AND sessions.member_id = :member_id AND sessions.last_used_day >= :first_day), 0)
        AS session_id
FROM api_keys
    JOIN members ON members.id = api_keys.member_id
    LEFT JOIN members AS makers ON makers.id = made_by
WHERE session_id IS NOT NULL AND revoked_at IS NULL AND {own_key} AND {maker_may};

-- name: adopt_app_key
UPDATE api_keys SET session_id = :session_id
WHERE id = :id AND revoked_at IS NULL AND scope = 'WRITE' AND {own_key};

-- name: move_app_keys
-- Moves the app's keys to the new session of the app's browser, if the same member has opened that session.
UPDATE api_keys SET session_id = sessions.id FROM sessions
WHERE session_id = :session_id AND sessions.fingerprint = :fingerprint AND sessions.member_id = :member_id;

-- name: revoke_app_key
UPDATE api_keys SET revoked_at = :revoked_at
WHERE id = :id AND session_id IS NOT NULL AND revoked_at IS NULL AND {own_key};

-- name: revoke_apps_of_session
UPDATE api_keys SET revoked_at = :revoked_at WHERE session_id = :session_id AND revoked_at IS NULL;

-- name: revoke_other_apps
UPDATE api_keys SET revoked_at = :revoked_at
WHERE session_id IS NOT NULL AND session_id <> :kept AND revoked_at IS NULL AND {own_key};

-- name: find_session_of_key
-- Finds the session of a key's browser. A station's key has no result: others may revoke such a key, but they do not
-- sign out its browser.
SELECT session_id FROM api_keys WHERE id = :id AND session_id > 0 AND made_by IS NULL;

-- name: list_revoked_keys
-- Lists revoked keys and upload tokens together, because a token and a key never have the same fingerprint.
SELECT fingerprint, revoked_at FROM api_keys WHERE revoked_at IS NOT NULL
UNION ALL
SELECT fingerprint, revoked_at FROM upload_tokens WHERE revoked_at IS NOT NULL;

-- name: revoke_fingerprint
-- Used by a restore: revokes a key that was revoked in the replaced logbook.
UPDATE api_keys SET revoked_at = :revoked_at
WHERE fingerprint = :fingerprint AND revoked_at IS NULL;
