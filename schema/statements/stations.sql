-- Stations: their grants, the creators of their QSOs, and the data on their pages.

-- part: grant_holds
grants.revoked_at IS NULL AND (until IS NULL OR until > :now)

-- part: listed_grants
SELECT station_id, grants.member_id, stations.callsign AS station, members.callsign AS member, granted_at, until,
    revoked_at
FROM grants
    JOIN members AS stations ON stations.id = station_id
    JOIN members ON members.id = grants.member_id

-- name: find_granted_log
-- Finds the log of an active station, for a member who may operate the station now.
SELECT members.id, callsign, locator, log_revision
FROM members JOIN grants ON station_id = members.id
WHERE callsign_key = :callsign AND active = 1 AND grants.member_id = :member_id AND {grant_holds};

-- name: write_grant
-- Creates or renews a grant. The renewed grant begins now, unless the grant is still valid.
INSERT INTO grants (station_id, member_id, granted_at, until, set_at)
SELECT stations.id, members.id, :now, :until, :set_at FROM members AS stations JOIN members
WHERE stations.id = :station_id AND stations.is_station = 1 AND members.id = :member_id AND members.is_station = 0
ON CONFLICT (station_id, member_id) DO UPDATE SET
    granted_at = CASE WHEN {grant_holds} THEN granted_at ELSE :now END,
    until = :until, revoked_at = NULL, set_at = :set_at;

-- name: revoke_grant
UPDATE grants SET revoked_at = :now, set_at = :set_at
WHERE station_id = :station_id AND member_id = :member_id AND {grant_holds};

-- name: end_keys_of_grant
-- Revokes a member's keys for a station if the member's grant is no longer valid.
UPDATE api_keys SET revoked_at = :now
WHERE made_by = :member_id AND member_id = :station_id AND revoked_at IS NULL AND NOT EXISTS (
    SELECT 1 FROM grants WHERE station_id = :station_id AND grants.member_id = :member_id AND {grant_holds});

-- name: end_tokens_of_grant
UPDATE upload_tokens SET revoked_at = :now
WHERE made_by = :member_id AND member_id = :station_id AND revoked_at IS NULL AND NOT EXISTS (
    SELECT 1 FROM grants WHERE station_id = :station_id AND grants.member_id = :member_id AND {grant_holds});

-- name: end_keys_of_member
-- Used before a member is deleted: revokes the member's keys for stations, and removes the member's number from these
-- keys.
UPDATE api_keys SET revoked_at = ifnull(revoked_at, :now), made_by = NULL WHERE made_by = :member_id;

-- name: end_tokens_of_member
UPDATE upload_tokens SET revoked_at = ifnull(revoked_at, :now), made_by = NULL WHERE made_by = :member_id;

-- name: list_stations
{members_with_counts} INDEXED BY members_stations
WHERE is_station = 1;

-- name: list_grants
-- Lists the grants for a station, or the grants of a member: a log never has both.
{listed_grants}
WHERE station_id = :id
UNION ALL
{listed_grants}
WHERE grants.member_id = :id
ORDER BY station_id, grants.member_id;

-- name: update_log_page
UPDATE members SET log_page = :log_page, log_page_set_at = :set_at WHERE id = :id AND is_station = 1;

-- name: insert_maker
INSERT OR REPLACE INTO made_by (member_id, qso_id, operator) VALUES (:member_id, :qso_id, :operator);

-- name: find_maker
SELECT operator FROM made_by WHERE member_id = :member_id AND qso_id = :qso_id;

-- name: list_makers
SELECT qso_id, operator FROM made_by WHERE member_id = :member_id ORDER BY qso_id;

-- name: delete_makers
DELETE FROM made_by
WHERE (member_id, qso_id) IN (SELECT member_id, qso_id FROM made_by WHERE member_id = :member_id LIMIT :limit);

-- name: find_log_page
-- Finds an active station with a public page by its callsign in an address. The address can omit the slash, or have
-- another character in place of the slash. The exact callsign is preferred.
SELECT members.id, callsign, locator, log_revision, log_epoch
FROM members INDEXED BY members_stations JOIN logbook ON logbook.id = 1
WHERE is_station = 1 AND active = 1 AND log_page = 1 AND replace(callsign_key, '/', '') = replace(:callsign, '/', '')
    AND (callsign_key = :callsign OR NOT EXISTS (SELECT 1 FROM members AS exact
        WHERE exact.callsign_key = :callsign AND exact.is_station = 1 AND exact.log_page = 1));

-- name: list_log_pages
-- Lists the active stations with a public page.
SELECT callsign FROM members INDEXED BY members_stations
WHERE is_station = 1 AND active = 1 AND log_page = 1
ORDER BY callsign;

-- name: list_worked
-- Lists the bands, modes and days of QSOs with one station. If the log is not counted yet, the statement reads each
-- entry of an index.
SELECT DISTINCT band, mode, qso_at - (qso_at % 86400000 + 86400000) % 86400000 AS day
FROM (SELECT qso_id AS found FROM page_worked
        WHERE :is_counted AND member_id = :member_id AND worked_key = :callsign
    UNION ALL
    SELECT id FROM qsos AS one INDEXED BY qsos_by_contact
        WHERE NOT :is_counted AND one.member_id = :member_id AND one.worked_key = :callsign) AS places
    CROSS JOIN qsos ON qsos.id = found
WHERE qso_status IS NOT 0
ORDER BY day, band, mode;

-- name: find_counting
-- Finds whether the log belongs to a station, which must be counted, and whether the log has been counted.
SELECT is_station, EXISTS (SELECT 1 FROM page_counts WHERE page_counts.member_id = members.id AND kind = 0) AS is_begun
FROM members WHERE id = :id;

-- part: count
INSERT INTO page_counts (member_id, kind, value, qsos)
SELECT one.member_id, one.kind, one.value, 1 FROM page_parts AS one

-- part: count_again
ON CONFLICT (member_id, kind, value) DO UPDATE SET qsos = qsos + 1

-- name: count_all_qsos
{count}
WHERE one.member_id = :member_id
{count_again};

-- name: count_qso
{count}
WHERE one.qso_id = :id
{count_again};

-- name: uncount_qso
-- Subtracts a QSO from the counts before the QSO is changed or deleted.
UPDATE page_counts SET qsos = qsos - 1
WHERE page_counts.member_id = :member_id AND (page_counts.kind, page_counts.value) IN (
    SELECT one.kind, one.value FROM page_parts AS one WHERE one.qso_id = :id);

-- name: note_all_worked
INSERT INTO page_worked (member_id, worked_key, qso_id)
SELECT qsos.member_id, qsos.worked_key, qsos.id FROM qsos
WHERE qsos.member_id = :member_id AND qsos.worked_key IS NOT NULL;

-- name: note_worked
INSERT INTO page_worked (member_id, worked_key, qso_id)
SELECT qsos.member_id, qsos.worked_key, qsos.id FROM qsos
WHERE qsos.id = :id AND qsos.worked_key IS NOT NULL;

-- name: forget_worked
DELETE FROM page_worked
WHERE page_worked.member_id = :member_id AND qso_id = :id
    AND page_worked.worked_key = (SELECT qsos.worked_key FROM qsos WHERE qsos.id = :id);

-- name: list_page_counts
SELECT kind, value, qsos FROM page_counts WHERE member_id = :member_id AND qsos > 0;

-- name: list_all_grants
-- Used by a restore: lists all grants, including grants that have ended.
SELECT station_id, stations.created_at AS station_created_at, grants.member_id, members.created_at AS member_created_at,
    granted_at, until, revoked_at, set_at
FROM grants
    JOIN members AS stations ON stations.id = station_id
    JOIN members ON members.id = grants.member_id;

-- name: restore_grant
INSERT INTO grants (station_id, member_id, granted_at, until, revoked_at, set_at)
SELECT stations.id, members.id, :granted_at, :until, :revoked_at, :set_at
FROM members AS stations JOIN members
WHERE stations.id = :station_id AND stations.created_at = :station_created_at AND stations.is_station = 1
    AND members.id = :member_id AND members.created_at = :member_created_at
ON CONFLICT (station_id, member_id) DO UPDATE SET granted_at = excluded.granted_at, until = excluded.until,
    revoked_at = excluded.revoked_at, set_at = excluded.set_at
WHERE set_at <= excluded.set_at;

-- name: list_all_log_pages
SELECT id, created_at, log_page, log_page_set_at FROM members WHERE is_station = 1;

-- name: restore_log_page
UPDATE members SET log_page = :log_page, log_page_set_at = :log_page_set_at
WHERE id = :id AND created_at = :created_at AND is_station = 1 AND log_page_set_at <= :log_page_set_at;
