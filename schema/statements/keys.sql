-- API keys.

-- name: insert_key
INSERT INTO api_keys (member_id, name, scope, fingerprint, hint, created_at)
VALUES (:member_id, :name, :scope, :fingerprint, :hint, :created_at);

-- name: find_identity
-- Whom a key speaks for: only a key that works, of an active member.
SELECT api_keys.id, scope, member_id, callsign, locator, log_revision, log_epoch,
    last_stamp, restored_at, last_used_day, fingerprint
FROM api_keys
    JOIN members ON members.id = api_keys.member_id
    JOIN logbook ON logbook.id = 1
WHERE fingerprint = :fingerprint AND revoked_at IS NULL AND active = 1;

-- name: find_key_state
-- A key that the logbook knows, whether it works or not.
SELECT callsign, revoked_at, active
FROM api_keys JOIN members ON members.id = member_id
WHERE fingerprint = :fingerprint;

-- name: list_keys
SELECT api_keys.id, callsign, name, scope, hint, api_keys.created_at, last_used_day, revoked_at
FROM api_keys JOIN members ON members.id = member_id
WHERE member_id = :member_id
ORDER BY api_keys.id;

-- name: list_all_keys
SELECT api_keys.id, callsign, name, scope, hint, api_keys.created_at, last_used_day, revoked_at
FROM api_keys JOIN members ON members.id = member_id
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
