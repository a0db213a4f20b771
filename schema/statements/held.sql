-- Personal data about a member, in addition to QSOs and their history. Each row of a list is a JSON value in the file
-- that contains all data about the member.

-- part: iso
'%Y-%m-%dT%H:%M:%fZ'

-- part: held_grant
SELECT json_object('station', stations.callsign, 'member', members.callsign,
    'grantedAt', strftime({iso}, granted_at / 1000.0, 'unixepoch'),
    'until', strftime({iso}, until / 1000.0, 'unixepoch'),
    'endedAt', strftime({iso}, ifnull(revoked_at, iif(until <= :now, until, NULL)) / 1000.0, 'unixepoch')) AS item
FROM grants
    JOIN members AS stations ON stations.id = station_id
    JOIN members ON members.id = grants.member_id

-- name: list_held_spots
SELECT json_object('spottedAt', strftime({iso}, spots.spotted_at / 1000.0, 'unixepoch'), 'spotter', spotter,
    'dxCallsign', dx_callsign, 'band', {spots.band words},
    'frequencyHz', spots.frequency, 'channel', spots.channel, 'ctcssTone', spots.ctcss_tone, 'dcsCode', spots.dcs_code,
    'mode', {spots.mode words},
    'myLocator', spots.my_locator, 'dxLocator', spots.dx_locator, 'qsoId', qso_id) AS item
FROM spots
    JOIN qsos ON qsos.id = qso_id
WHERE member_id = :member_id;

-- name: list_held_keys
SELECT json_remove(json_object('number', api_keys.id, 'name', name, 'scope', scope, 'hint', hint,
        'madeBy', makers.callsign,
        'createdAt', strftime({iso}, api_keys.created_at / 1000.0, 'unixepoch'),
        'lastUsedOn', date(api_keys.last_used_day * 86400, 'unixepoch'), 'lastUsedBy', last_program,
        'revokedAt', strftime({iso}, {revoked} / 1000.0, 'unixepoch')),
    iif(makers.callsign IS NULL, '$.madeBy', '$.none')) AS item
FROM api_keys
    JOIN members ON members.id = member_id
    LEFT JOIN members AS makers ON makers.id = made_by
WHERE member_id = :member_id
ORDER BY api_keys.id;

-- name: list_held_tokens
SELECT json_remove(json_object('number', upload_tokens.id, 'name', name,
        'mayRead', json(iif(may_read, 'true', 'false')), 'isPolo', json(iif(polo_epoch IS NULL, 'false', 'true')),
        'hint', hint, 'madeBy', makers.callsign,
        'createdAt', strftime({iso}, upload_tokens.created_at / 1000.0, 'unixepoch'),
        'lastUsedOn', date(upload_tokens.last_used_day * 86400, 'unixepoch'), 'lastUsedBy', last_program,
        'revokedAt', strftime({iso}, {revoked} / 1000.0, 'unixepoch')),
    iif(makers.callsign IS NULL, '$.madeBy', '$.none')) AS item
FROM upload_tokens
    JOIN members ON members.id = member_id
    LEFT JOIN members AS makers ON makers.id = made_by
WHERE member_id = :member_id
ORDER BY upload_tokens.id;

-- name: list_held_sessions
SELECT json_object('number', id, 'device', device,
    'createdAt', strftime({iso}, created_at / 1000.0, 'unixepoch'),
    'lastUsedOn', date(last_used_day * 86400, 'unixepoch')) AS item
FROM sessions
WHERE member_id = :member_id AND last_used_day >= :first_day
ORDER BY last_used_day DESC, id DESC;

-- name: list_held_links
SELECT json_object('kind', iif(kind = 1, 'DEVICE', 'INVITATION'),
    'createdAt', strftime({iso}, made_at / 1000.0, 'unixepoch'),
    'expiresAt', strftime({iso}, expires_at / 1000.0, 'unixepoch'),
    'usedAt', strftime({iso}, used_at / 1000.0, 'unixepoch'),
    'replacedAt', strftime({iso}, replaced_at / 1000.0, 'unixepoch')) AS item
FROM sign_in_links
WHERE member_id = :member_id
ORDER BY id;

-- name: list_held_passkeys
SELECT json_object('number', id, 'name', name,
    'createdAt', strftime({iso}, created_at / 1000.0, 'unixepoch'),
    'lastUsedOn', date(last_used_day * 86400, 'unixepoch'),
    'copiedAt', strftime({iso}, copied_at / 1000.0, 'unixepoch')) AS item
FROM passkeys
WHERE member_id = :member_id
ORDER BY id;

-- name: list_held_grants
-- Lists the grants for a station, or the grants of a member: a log never has both.
{held_grant}
WHERE station_id = :member_id
UNION ALL
{held_grant}
WHERE grants.member_id = :member_id;

-- name: list_held_makers
SELECT json_object('qso', CAST(qso_id AS TEXT), 'operator', operator) AS item
FROM made_by
WHERE member_id = :member_id
ORDER BY qso_id;

-- name: list_held_callsigns
SELECT json_quote(callsign) AS item FROM former_callsigns WHERE member_id = :member_id ORDER BY callsign;

-- name: list_held_program_ids
SELECT json_object('qso', CAST(qso_id AS TEXT), 'program', program, 'id', id) AS item
FROM program_ids
WHERE member_id = :member_id
ORDER BY program, id;

-- name: list_held_records
-- Data about other programs' records: the time of the contact, and hashes of all other values.
SELECT json_object('qso', CAST(qso_id AS TEXT), 'source', source, 'at', strftime({iso}, at / 1000.0, 'unixepoch'),
    'until', strftime({iso}, until / 1000.0, 'unixepoch'), 'hash', printf('%012x', mark), 'values', lower(hex(said))) AS item
FROM known_records
WHERE member_id = :member_id
ORDER BY at, mark, source;

-- name: list_held_polo_records
SELECT json_object('kind', CASE kind WHEN 0 THEN 'operation' WHEN 1 THEN 'qso' ELSE 'settings' END, 'reason', reason,
    'record', json(CAST(body AS TEXT))) AS item
FROM polo_records
WHERE member_id = :member_id AND length(body) > 0
ORDER BY kind, uuid;

-- name: list_held_confirmations
SELECT json_object('qso', CAST(qsos.id AS TEXT), 'station', station, 'club', ifnull(peers.club, peers.name)) AS item
FROM claims INDEXED BY claims_by_worked JOIN qsos ON qsos.id = qso_id JOIN peers ON peers.id = peer_id
WHERE claims.worked_key = (SELECT callsign_key FROM members WHERE members.id = :member_id);

-- name: list_held_alert_rules
SELECT json_object('number', id, 'name', name, 'subject', subject, 'callsigns', callsigns, 'need', need, 'source', source,
    'band', band, 'mode', mode, 'fromMinute', from_minute, 'toMinute', to_minute, 'days', days, 'pause', pause,
    'on', json(iif(is_on, 'true', 'false'))) AS item
FROM alert_rules
WHERE member_id = :member_id
ORDER BY id;

-- name: list_held_alert_ways
-- Omits everything that can contain a secret: the path of the address, the headers, the text and the keys of browsers.
SELECT json_object('number', id, 'kind', kind, 'name', name,
    'address', substr(address, 1, 7 + instr(substr(address, 9) || '/', '/')),
    'on', json(iif(is_on, 'true', 'false')),
    'createdAt', strftime({iso}, created_at / 1000.0, 'unixepoch'),
    'sentAt', strftime({iso}, sent_at / 1000.0, 'unixepoch'),
    'failedAt', strftime({iso}, failed_at / 1000.0, 'unixepoch')) AS item
FROM alert_ways
WHERE member_id = :member_id
ORDER BY id;

-- name: list_held_alert_settings
SELECT json_object('zone', zone, 'quietFrom', quiet_from, 'quietTo', quiet_to, 'hourly', hourly,
    'mutedUntil', strftime({iso}, nullif(muted_until, 0) / 1000.0, 'unixepoch')) AS item
FROM alert_settings
WHERE member_id = :member_id;

-- name: list_held_alert_mutes
SELECT json_quote(callsign) AS item FROM alert_mutes WHERE member_id = :member_id ORDER BY callsign_key;

-- name: list_held_alerts
SELECT json_object('at', strftime({iso}, at / 1000.0, 'unixepoch'), 'rule', rule, 'callsign', dx_callsign,
    'spotter', spotter, 'held', held) AS item
FROM alerts
WHERE member_id = :member_id
ORDER BY at;
