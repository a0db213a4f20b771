SELECT id, callsign, locator, login, active, created_at,
    (SELECT count(*) FROM qsos WHERE member_id = members.id),
    (SELECT count(*) FROM api_keys WHERE member_id = members.id AND revoked_at IS NULL)
FROM members
WHERE callsign = :callsign
