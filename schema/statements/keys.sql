-- API keys.

-- name: insert_key
INSERT INTO api_keys (member_id, name, scope, fingerprint, hint, created_at, made_by)
VALUES (:member_id, :name, :scope, :fingerprint, :hint, :created_at, :made_by);

-- name: find_identity
-- Whom a key speaks for: only a key that works, of an active member; one for a station, while an active member who
-- made it may operate the station.
SELECT api_keys.id, scope, api_keys.member_id, members.callsign, members.locator, members.log_revision, log_epoch,
    last_stamp, restored_at, last_used_day, fingerprint, made_by, members.is_station, makers.callsign AS operator
FROM api_keys
    JOIN members ON members.id = api_keys.member_id
    JOIN logbook ON logbook.id = 1
    LEFT JOIN members AS makers ON makers.id = made_by
WHERE fingerprint = :fingerprint AND revoked_at IS NULL AND members.active = 1
    AND (made_by IS NULL OR makers.active = 1 AND EXISTS (
        SELECT 1 FROM grants
        WHERE station_id = api_keys.member_id AND grants.member_id = made_by AND grants.revoked_at IS NULL
            AND (until IS NULL OR until > :now)));

-- name: find_key_state
-- A key that the logbook knows, whether it works or not, and whose it is; of a key for a station, a disabled maker.
SELECT iif(makers.active = 0 AND revoked_at IS NULL, makers.callsign, members.callsign) AS callsign,
    members.active AND ifnull(makers.active, 1) AS active, ifnull(revoked_at, (
        SELECT until FROM grants
        WHERE station_id = api_keys.member_id AND grants.member_id = made_by AND until <= :now)) AS revoked_at
FROM api_keys
    JOIN members ON members.id = member_id
    LEFT JOIN members AS makers ON makers.id = made_by
WHERE fingerprint = :fingerprint;

-- name: list_keys
-- One whose grant has ended by itself was revoked then.
SELECT api_keys.id, members.callsign, name, scope, hint, api_keys.created_at, api_keys.last_used_day,
    makers.callsign AS operator, ifnull(revoked_at, (
        SELECT until FROM grants
        WHERE station_id = api_keys.member_id AND grants.member_id = made_by AND until <= :now)) AS revoked_at
FROM api_keys
    JOIN members ON members.id = member_id
    LEFT JOIN members AS makers ON makers.id = made_by
WHERE member_id = :member_id
ORDER BY api_keys.id;

-- name: list_all_keys
-- One whose grant has ended by itself was revoked then.
SELECT api_keys.id, members.callsign, name, scope, hint, api_keys.created_at, api_keys.last_used_day,
    makers.callsign AS operator, ifnull(revoked_at, (
        SELECT until FROM grants
        WHERE station_id = api_keys.member_id AND grants.member_id = made_by AND until <= :now)) AS revoked_at
FROM api_keys
    JOIN members ON members.id = member_id
    LEFT JOIN members AS makers ON makers.id = made_by
ORDER BY api_keys.id;

-- name: update_key_last_used
UPDATE api_keys SET last_used_day = :last_used_day WHERE id = :id;

-- name: revoke_key
UPDATE api_keys SET revoked_at = :revoked_at
WHERE id = :id AND member_id = :member_id AND revoked_at IS NULL;

-- name: list_revoked_keys
-- Upload tokens, too: their fingerprints are never a key's.
SELECT fingerprint, revoked_at FROM api_keys WHERE revoked_at IS NOT NULL
UNION ALL
SELECT fingerprint, revoked_at FROM upload_tokens WHERE revoked_at IS NOT NULL;

-- name: revoke_fingerprint
-- After a restore: a key that was revoked stays revoked.
UPDATE api_keys SET revoked_at = :revoked_at
WHERE fingerprint = :fingerprint AND revoked_at IS NULL;
