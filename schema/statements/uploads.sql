-- Upload tokens, the switch for uploads, the refusals of keys, and the counts of a log.

-- name: read_uploads
SELECT uploads FROM logbook WHERE id = 1;

-- name: update_uploads
UPDATE logbook SET uploads = :uploads, uploads_set_at = :uploads_set_at WHERE id = 1;

-- name: restore_uploads
-- Used by a restore: keeps the later decision, unless the replaced logbook had no members.
UPDATE logbook SET uploads = :uploads, uploads_set_at = :uploads_set_at
WHERE id = 1 AND uploads_set_at <= :uploads_set_at AND (:has_members OR uploads_set_at = 0);

-- name: insert_token
INSERT INTO upload_tokens (member_id, name, may_read, polo_epoch, fingerprint, hint, created_at, made_by)
VALUES (:member_id, :name, :may_read, CASE WHEN :is_polo THEN (SELECT log_epoch FROM logbook WHERE id = 1) END,
    :fingerprint, :hint, :created_at, :made_by);

-- name: find_token
-- Finds the member whom a token identifies, including a token for PoLo. The token must work, its member must be active,
-- and uploads must be on. A station's token works under the same conditions as a station's key.
SELECT upload_tokens.id, 'WRITE' AS scope, upload_tokens.member_id, members.callsign, members.locator,
    members.log_revision, log_epoch, last_stamp, last_used_day, last_program, fingerprint, may_read, made_by,
    members.is_station, makers.callsign AS operator
FROM upload_tokens
    JOIN members ON members.id = upload_tokens.member_id
    JOIN logbook ON logbook.id = 1
    LEFT JOIN members AS makers ON makers.id = made_by
WHERE fingerprint = :fingerprint AND revoked_at IS NULL AND members.active = 1 AND uploads = 1
    AND {maker_may};

-- name: list_tokens
SELECT upload_tokens.id, members.callsign, name, 'WRITE' AS scope, hint, upload_tokens.created_at,
    upload_tokens.last_used_day, last_program, may_read, polo_epoch IS NOT NULL AS is_polo, makers.callsign AS operator,
    {revoked} AS revoked_at
FROM upload_tokens
    JOIN members ON members.id = member_id
    LEFT JOIN members AS makers ON makers.id = made_by
WHERE member_id = :member_id
ORDER BY upload_tokens.id;

-- name: update_token_last_used
UPDATE upload_tokens SET last_used_day = :last_used_day, last_program = :last_program WHERE id = :id;

-- name: revoke_token
UPDATE upload_tokens SET revoked_at = :revoked_at
WHERE id = :id AND member_id = :member_id AND revoked_at IS NULL AND (:made_by IS NULL OR made_by = :made_by);

-- name: has_token_name
-- Checks whether the member already has an active token with this name from this creator.
SELECT 1 FROM upload_tokens
WHERE member_id = :member_id AND made_by IS :made_by AND revoked_at IS NULL AND name = :name;

-- name: has_active_token
SELECT 1 FROM upload_tokens WHERE id = :id AND member_id = :member_id AND revoked_at IS NULL;

-- name: revoke_token_fingerprint
-- Used by a restore: revokes a token that was revoked in the replaced logbook.
UPDATE upload_tokens SET revoked_at = :revoked_at
WHERE fingerprint = :fingerprint AND revoked_at IS NULL;

-- name: delete_member_tokens
DELETE FROM upload_tokens WHERE member_id = :member_id;

-- name: write_key_refusal
INSERT INTO key_refusals (key_id, refused_at, code, field, entries)
VALUES (:key_id, :refused_at, :code, :field, :entries)
ON CONFLICT (key_id) DO UPDATE SET refused_at = excluded.refused_at, code = excluded.code,
    field = excluded.field, entries = excluded.entries;

-- name: find_key_refusal
SELECT refused_at, code, field, entries FROM key_refusals WHERE key_id = :key_id;

-- name: list_all_key_refusals
SELECT callsign, name, refused_at, code, field, entries
FROM key_refusals
    JOIN api_keys ON api_keys.id = key_id
    JOIN members ON members.id = member_id
ORDER BY refused_at DESC
LIMIT :limit;

-- name: count_log
-- Counts a member's QSOs: all QSOs, and the QSOs since the beginning of a day, a month and a year. Each beginning is
-- given as a slot of two hours.
SELECT (SELECT count(*) FROM qsos WHERE member_id = :member_id) AS qsos,
    (SELECT count(*) FROM qsos INDEXED BY qsos_by_contact
        WHERE member_id = :member_id AND slot >= strftime('%s', :now / 1000, 'unixepoch', 'start of day') / 7200) AS of_day,
    (SELECT count(*) FROM qsos INDEXED BY qsos_by_contact
        WHERE member_id = :member_id AND slot >= strftime('%s', :now / 1000, 'unixepoch', 'start of month') / 7200) AS of_month,
    (SELECT count(*) FROM qsos INDEXED BY qsos_by_contact
        WHERE member_id = :member_id AND slot >= strftime('%s', :now / 1000, 'unixepoch', 'start of year') / 7200) AS of_year;
