-- Members as an operator sees them.

-- part: last_use
max(ifnull((SELECT max(last_used_day) FROM api_keys WHERE member_id = members.id), -1),
    ifnull((SELECT max(last_used_day) FROM upload_tokens WHERE member_id = members.id), -1),
    ifnull((SELECT max(last_used_day) FROM sessions WHERE member_id = members.id), -1))

-- part: listed_member
SELECT id, callsign, callsign_key, locator, login, active, is_operator, created_at,
    password_hash IS NOT NULL AS has_password, is_station, claims, log_page, channel_plan,
    (SELECT since FROM announcers WHERE member_id = members.id) AS announces_since,
    (SELECT count(*) FROM qsos WHERE member_id = members.id) AS qso_count,
    (SELECT count(*) FROM api_keys WHERE member_id = members.id AND {revoked} IS NULL) AS active_key_count,
    {last_use} AS last_used_day,
    (SELECT count(*) FROM sessions WHERE member_id = members.id AND last_used_day >= :first_day)
        AS session_count,
    (SELECT max(expires_at) FROM sign_in_links
     WHERE member_id = members.id AND kind = 0 AND used_at IS NULL AND replaced_at IS NULL) AS invitation_until
FROM members

-- part: sought_member
-- The groups are 1 (active and never used), 2 (disabled) and 3 (operators); any other number means all members.
(:part IS NULL OR instr(callsign_key, :part) > 0)
    AND CASE :group
        WHEN 1 THEN active = 1 AND password_hash IS NULL AND is_station = 0
            AND NOT EXISTS (SELECT 1 FROM sessions WHERE member_id = members.id)
            AND NOT EXISTS (SELECT 1 FROM passkeys WHERE member_id = members.id)
            AND NOT EXISTS (SELECT 1 FROM api_keys WHERE member_id = members.id AND last_used_day IS NOT NULL)
            AND NOT EXISTS (SELECT 1 FROM upload_tokens WHERE member_id = members.id AND last_used_day IS NOT NULL)
        WHEN 2 THEN active = 0
        WHEN 3 THEN is_operator = 1
        ELSE 1 END

-- name: search_members
-- Lists a group of members by callsign.
{listed_member}
WHERE (callsign_key, id) > (:after, :after_id) AND {sought_member}
ORDER BY callsign_key, id
LIMIT :limit;

-- name: search_members_by_use
-- Lists a group of members by their last use, newest first. The counts are computed only for the members in the result.
{listed_member}
JOIN (SELECT id AS number, -{last_use} AS ago FROM members
    WHERE (-{last_use}, callsign_key, id) > (-:after_day, :after, :after_id) AND {sought_member}
    ORDER BY ago, callsign_key, id
    LIMIT :limit) ON number = id
ORDER BY ago, callsign_key, id;

-- name: count_members_by_use
-- Counts the active members, except stations, and those who have used the service since a day.
SELECT count(*) AS members, ifnull(sum({last_use} >= :since_day), 0) AS used
FROM members WHERE active = 1 AND is_station = 0;

-- name: list_slots_of_member
-- Counts a member's QSOs in each two-hour slot, from the slot :first_slot on.
SELECT slot, count(*) AS qsos FROM qsos INDEXED BY qsos_by_contact
WHERE member_id = :member_id AND slot >= :first_slot
GROUP BY slot;

-- name: find_member_by_number
SELECT id, callsign, locator, login, active, is_operator, is_station, created_at,
    password_hash IS NOT NULL AS has_password, claims, log_page, channel_plan,
    (SELECT since FROM announcers WHERE member_id = members.id) AS announces_since,
    0 AS qso_count, 0 AS active_key_count, 0 AS session_count, NULL AS last_used_day
FROM members
WHERE id = :id;
