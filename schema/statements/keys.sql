-- API keys.

-- part: maker_may
-- Whether a key or token, if it is for a station, is of an active member who may operate the station.
(made_by IS NULL OR makers.active = 1 AND EXISTS (
        SELECT 1 FROM grants WHERE station_id = members.id AND grants.member_id = made_by AND {grant_holds}))

-- part: revoked
-- When a key or token was; one whose grant has ended by itself was revoked then.
ifnull(revoked_at, (
        SELECT until FROM grants WHERE station_id = members.id AND grants.member_id = made_by AND until <= :now))

-- part: listed_keys
SELECT api_keys.id, members.callsign, name, scope, hint, api_keys.created_at, api_keys.last_used_day,
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
-- The member whom a key identifies: only a working key of an active member. A key for a station works while an active
-- member who made it may operate the station.
SELECT api_keys.id, scope, api_keys.member_id, members.callsign, members.locator, members.log_revision, log_epoch,
    last_stamp, last_used_day, fingerprint, made_by, members.is_station, makers.callsign AS operator
FROM api_keys
    JOIN members ON members.id = api_keys.member_id
    JOIN logbook ON logbook.id = 1
    LEFT JOIN members AS makers ON makers.id = made_by
WHERE fingerprint = :fingerprint AND revoked_at IS NULL AND members.active = 1
    AND {maker_may};

-- name: find_key_state
-- A key in the logbook, whether it works or not, and its owner; for a station's key also a disabled maker.
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

-- name: update_key_last_used
UPDATE api_keys SET last_used_day = :last_used_day WHERE id = :id;

-- name: revoke_key
UPDATE api_keys SET revoked_at = :revoked_at
WHERE id = :id AND member_id = :member_id AND revoked_at IS NULL AND (:made_by IS NULL OR made_by = :made_by);

-- name: has_key_name
-- Whether an active key of the member and of this maker has the name.
SELECT 1 FROM api_keys
WHERE member_id = :member_id AND made_by IS :made_by AND revoked_at IS NULL AND name = :name;

-- name: has_active_key
SELECT 1 FROM api_keys WHERE id = :id AND member_id = :member_id AND revoked_at IS NULL;

-- part: own_key
-- Whether a key is for the member's log, or was created by the member for a station.
(made_by = :member_id OR made_by IS NULL AND member_id = :member_id)

-- name: list_app_keys
-- Those that work, each with the session of its browser; 0: the browser is not signed in.
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
-- The browser of a session has a new session, of the same member.
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
-- A station's key may be revoked by others, who do not sign its browser out.
SELECT session_id FROM api_keys WHERE id = :id AND session_id > 0 AND made_by IS NULL;

-- name: list_revoked_keys
-- Upload tokens, too: their fingerprints are never a key's.
SELECT fingerprint, revoked_at FROM api_keys WHERE revoked_at IS NOT NULL
UNION ALL
SELECT fingerprint, revoked_at FROM upload_tokens WHERE revoked_at IS NOT NULL;

-- name: revoke_fingerprint
-- After a restore: a key that was revoked stays revoked.
UPDATE api_keys SET revoked_at = :revoked_at
WHERE fingerprint = :fingerprint AND revoked_at IS NULL;
