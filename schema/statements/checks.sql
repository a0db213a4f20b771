-- Problems that the check command can find. Each row is a problem, described in a sentence.

-- name: check_integrity
SELECT integrity_check AS problem FROM pragma_integrity_check WHERE integrity_check <> 'ok';

-- name: read_page_count
SELECT page_count AS pages FROM pragma_page_count;

-- name: check_foreign_keys
SELECT printf('row %d of %s refers to a row of %s that does not exist', rowid, "table", parent) AS problem
FROM pragma_foreign_key_check;

-- name: check_confirmations
SELECT printf('QSO %d is confirmed by QSO %d, which does not confirm it', mine.id, other.id) AS problem
FROM qsos AS mine JOIN qsos AS other ON other.id = mine.confirmed_by
WHERE other.confirmed_by IS NOT mine.id
    OR other.member_id = mine.member_id
    OR other.paired_at IS NOT mine.paired_at
UNION ALL
SELECT printf('QSO %d is confirmed by a peer, but has no time of confirmation', qsos.id) AS problem
FROM claims JOIN qsos ON qsos.id = qso_id
WHERE claimed_at IS NULL
UNION ALL
SELECT printf('a claim confirms QSO %d, which has no reference to the claim', qso_id) AS problem
FROM claims LEFT JOIN qsos ON qsos.id = qso_id
WHERE qso_id IS NOT NULL AND claim_id IS NOT claims.id
UNION ALL
SELECT printf('QSO %d is confirmed by a claim that does not confirm it', qsos.id) AS problem
FROM qsos LEFT JOIN claims ON claims.id = claim_id
WHERE claim_id IS NOT NULL AND qso_id IS NOT qsos.id;

-- name: check_spots
-- A QSO that was deleted and restored no longer has a spot.
SELECT printf('QSO %d and its spot disagree', qsos.id) AS problem
FROM qsos LEFT JOIN spots ON spots.qso_id = qsos.id
WHERE qsos.spotted_at IS NOT spots.spotted_at
    AND (spots.id IS NOT NULL OR NOT EXISTS (SELECT 1 FROM ended_spots WHERE ended_spots.qso_id = qsos.id));

-- name: check_stamps
SELECT printf('QSO %d has a later stamp than the logbook', qsos.id) AS problem
FROM qsos JOIN logbook ON qsos.synced_at > logbook.last_stamp
UNION ALL
SELECT printf('member %s has an older log revision than its QSOs', callsign) AS problem
FROM members
WHERE log_revision < (SELECT max(synced_at) FROM qsos WHERE member_id = members.id);

-- name: check_tombstones
SELECT printf('the tombstone of QSO %d has a later stamp than the logbook', tombstones.id) AS problem
FROM tombstones JOIN logbook ON tombstones.deleted_at > logbook.last_stamp
UNION ALL
SELECT printf('QSO %d has a tombstone, but still exists', qsos.id) AS problem
FROM tombstones JOIN qsos
    ON qsos.id = tombstones.id
    OR (qsos.client_id = tombstones.client_id AND qsos.member_id = tombstones.member_id)
UNION ALL
SELECT printf('member %s has an older log revision than a deletion', callsign) AS problem
FROM members
WHERE log_revision < (SELECT max(deleted_at) FROM tombstones WHERE member_id = members.id);

-- name: check_active_keys
-- For a station, the limit applies to each operator.
SELECT printf('member %d has more than 10 active keys', member_id) AS problem
FROM api_keys
WHERE revoked_at IS NULL
GROUP BY member_id, made_by
HAVING count(*) > 10;

-- name: check_sessions
SELECT printf('member %s is disabled, but signed in', callsign) AS problem
FROM members
WHERE active = 0 AND EXISTS (SELECT 1 FROM sessions WHERE member_id = members.id)
UNION ALL
SELECT printf('member %s is disabled, but has an open sign-in link', callsign) AS problem
FROM members
WHERE active = 0 AND EXISTS (
    SELECT 1 FROM sign_in_links WHERE member_id = members.id AND used_at IS NULL AND replaced_at IS NULL)
UNION ALL
SELECT 'the row with the details of the club is missing' AS problem
WHERE NOT EXISTS (SELECT 1 FROM club);

-- name: remark_equal_callsigns
-- Two members with the same callsign can no longer be added, but an older logbook can contain two such members.
SELECT printf('members %s and %s have callsigns that cross-confirmation cannot tell apart',
    mine.callsign, other.callsign) AS problem
FROM members AS mine JOIN members AS other
    ON other.callsign_key = mine.callsign_key AND other.id > mine.id;
