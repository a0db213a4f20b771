SELECT api_keys.id, scope, member_id, callsign, locator, log_revision, log_epoch, last_used_day
FROM api_keys
    JOIN members ON members.id = api_keys.member_id
    JOIN logbook ON logbook.id = 1
WHERE fingerprint = :fingerprint AND revoked_at IS NULL AND active = 1
