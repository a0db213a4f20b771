-- Claims from peers: the pulls that fetch claims, and the QSOs that the claims confirm.

-- name: begin_visit
UPDATE peers SET visit = visit + 1
WHERE id = :id AND removed_at IS NULL AND paired_at IS NOT NULL
RETURNING seen_epoch IS NOT (SELECT claims_epoch FROM logbook WHERE logbook.id = 1) AS is_outdated;

-- name: begin_pull
-- Deletes the cursor of a pull if none of its members is left, because the pull then has no next page.
UPDATE peers SET cursor = CASE WHEN cursor IS NOT NULL
        AND EXISTS (SELECT 1 FROM peer_members WHERE peer_id = :id AND pulling = 1) THEN cursor END
WHERE id = :id AND removed_at IS NULL AND paired_at IS NOT NULL
RETURNING epoch, cursor, round, visit;

-- name: find_pull
-- Finds the pull if it is still the peer's current pull.
SELECT claims FROM peers
WHERE id = :id AND removed_at IS NULL AND paired_at IS NOT NULL
    AND round = :round AND visit = :visit AND epoch IS :epoch AND cursor IS :cursor;

-- name: update_pull
UPDATE peers SET epoch = :epoch, cursor = :cursor, claims = claims + :added WHERE id = :id;

-- name: begin_round
-- Makes the following pulls request all claims again.
UPDATE peers SET epoch = NULL, cursor = NULL, round = round + 1, skipped = 0, skipped_callsign = NULL,
    seen_epoch = (SELECT claims_epoch FROM logbook WHERE logbook.id = 1)
WHERE id = :id;

-- name: begin_round_of_members
UPDATE peer_members SET since = NULL, pulling = 0, visit = 0 WHERE peer_id = :peer_id;

-- name: add_all_peer_members
-- Adds the missing members who accept claims. Rows of other callsigns have already been removed, so nobody is missing
-- if there are as many rows as such members.
INSERT OR IGNORE INTO peer_members (peer_id, callsign_key)
SELECT :peer_id, callsign_key
FROM (SELECT 1 WHERE (SELECT count(*) FROM peer_members WHERE peer_id = :peer_id) < (SELECT sum(claims) FROM members))
    CROSS JOIN members INDEXED BY members_by_callsign_key
WHERE claims = 1 AND (active = 1 OR EXISTS (SELECT 1 FROM claims WHERE worked_key = callsign_key));

-- part: gone_peer_members
-- Selects callsigns that no longer belong to a member, or whose member declines claims.
FROM peer_members
WHERE peer_id = :peer_id
    AND NOT EXISTS (SELECT 1 FROM members WHERE members.callsign_key = peer_members.callsign_key AND claims = 1)

-- name: list_claims_about_gone_members
-- Lists the claims about these callsigns, from all peers.
SELECT id FROM claims INDEXED BY claims_by_worked
WHERE worked_key IN (SELECT callsign_key {gone_peer_members})
LIMIT :limit;

-- name: delete_gone_peer_members
DELETE {gone_peer_members};

-- name: list_peer_members_to_ask
-- Lists the members of the running pull. If no pull is running, lists the members about whom this visit has not yet
-- requested claims.
SELECT callsign_key, ifnull(since, 0) AS since FROM peer_members
WHERE peer_id = :peer_id AND iif(:pulling, pulling, visit < :visit)
ORDER BY callsign_key;

-- part: members_of_pull
-- Selects the members of the running pull. If no pull is running, selects the members up to the last chosen callsign,
-- who are the first of their kind.
peer_id = :peer_id
    AND (pulling = 1 OR (callsign_key <= :callsign AND visit < :visit AND (since IS NULL) = :is_first))

-- name: mark_peer_members
-- Marks the members of a pull. A visit that ends the pull of an earlier visit requests the claims about that pull's
-- members again, because that pull began before the visit.
UPDATE peer_members SET pulling = :pulling, since = ifnull(:since, since), visit = iif(pulling, visit, :visit)
WHERE {members_of_pull};

-- name: find_claim_by_number
SELECT id, worked_key FROM claims WHERE peer_id = :peer_id AND number = :number;

-- name: find_known_claim
SELECT id, (station_key, worked_key, band, channel, mode, qso_at)
        IS (:station_key, :worked_key, :band, :channel, :mode, :qso_at) AS is_same
FROM claims
WHERE peer_id = :peer_id AND number = :number;

-- name: find_other_owner
-- Checks whether a station is our member, or already belongs to another peer. All claims by a station belong to one
-- peer.
SELECT 1 AS found WHERE EXISTS (SELECT 1 FROM members WHERE callsign_key = :station)
    OR (SELECT min(peer_id) FROM claims WHERE station_key = :station) <> :peer_id;

-- name: write_claim
-- Writes a claim. A claim that already exists keeps its QSO.
INSERT INTO claims (peer_id, number, station_key, worked_key, band, channel, mode, qso_at, station, round, qso_id)
VALUES (:peer_id, :number, :station_key, :worked_key, :band, :channel, :mode, :qso_at, :station, :round, :qso_id)
ON CONFLICT (peer_id, number) DO UPDATE SET station_key = :station_key, worked_key = :worked_key, band = :band,
    channel = :channel, mode = :mode, qso_at = :qso_at, station = :station, round = :round;

-- name: update_claim_round
UPDATE claims SET round = :round WHERE id = :id;

-- name: delete_claim
DELETE FROM claims WHERE id = :id;

-- name: has_fewer_qsos
SELECT 1 AS found WHERE (SELECT count(*) FROM (SELECT 1 FROM qsos LIMIT :needed) AS counted) < :needed;

-- name: note_skipped
UPDATE peers SET skipped = skipped + 1, skipped_callsign = :callsign WHERE id = :id;

-- name: list_old_claims
-- Lists claims about the members of a pull that are from before the pull's round.
SELECT id FROM claims INDEXED BY claims_by_worked
WHERE worked_key IN (SELECT callsign_key FROM peer_members WHERE {members_of_pull})
    AND peer_id = :peer_id AND round < :round
LIMIT :limit;

-- name: list_claims_about_member
SELECT id FROM claims INDEXED BY claims_by_worked
WHERE worked_key = (SELECT callsign_key FROM members WHERE members.id = :member_id) LIMIT :limit;

-- name: update_claims_switch
UPDATE members SET claims = :claims WHERE id = :member_id AND claims <> :claims;

-- name: find_peer_of_qso
-- Finds the club that confirms a QSO.
SELECT station, ifnull(peers.club, peers.name) AS club
FROM qsos JOIN claims ON claims.id = claim_id JOIN peers ON peers.id = peer_id
WHERE qsos.id = :qso_id;
