-- Other clubs' services: pairing, our answers to them, and their claims.

-- name: insert_peer_code
INSERT INTO peer_codes (fingerprint, address, made_at, expires_at)
VALUES (:fingerprint, :address, :made_at, :expires_at);

-- name: list_all_peer_codes
-- Also used by a restore: used codes stay used.
SELECT fingerprint, address, made_at, expires_at, used_at FROM peer_codes;

-- name: restore_peer_code
INSERT INTO peer_codes (fingerprint, address, made_at, expires_at, used_at)
VALUES (:fingerprint, :address, :made_at, :expires_at, :used_at)
ON CONFLICT (fingerprint) DO UPDATE SET used_at = ifnull(used_at, excluded.used_at);

-- name: end_peer_codes
-- Revokes open codes, because another code replaces them.
UPDATE peer_codes SET used_at = :used_at WHERE address = :address AND used_at IS NULL;

-- name: delete_old_peer_codes
DELETE FROM peer_codes WHERE expires_at < :before;

-- name: use_peer_code
UPDATE peer_codes SET used_at = :now
WHERE fingerprint = :fingerprint AND address = :address AND used_at IS NULL AND expires_at > :now;

-- name: insert_peer
INSERT INTO peers (name, address, club, added_at, paired_at, code, fingerprint, ask_key, given_key)
VALUES (:name, :address, :club, :added_at, :paired_at, :code, :fingerprint, :ask_key, :given_key);

-- name: finish_peer
UPDATE peers SET paired_at = :paired_at, club = :club, given_key = NULL WHERE id = :id AND removed_at IS NULL;

-- part: present_peers
SELECT id, name, address, club, paired_at, code, fingerprint, ask_key, given_key, asked_at, answered_at,
    failure, claims, skipped, skipped_callsign
FROM peers
WHERE removed_at IS NULL AND fingerprint IS NOT NULL

-- name: list_all_peers
{present_peers}
ORDER BY id;

-- name: list_all_peers_to_visit
{present_peers} AND paired_at IS NOT NULL
ORDER BY asked_at, id;

-- name: find_peer
{present_peers} AND (name = :name OR address = :name)
ORDER BY id DESC
LIMIT 1;

-- name: count_peer_confirmations
-- Nearly all claims belong to the peer with the most claims. An index that sorts them would make each insert a search.
SELECT count(*) AS confirmations FROM claims NOT INDEXED WHERE peer_id = :peer_id AND qso_id IS NOT NULL;

-- name: identify_peer
SELECT id FROM peers WHERE fingerprint = :fingerprint AND removed_at IS NULL;

-- name: find_peer_by_fingerprint
-- Finds the peer that asks, the logbook's newest stamp, and the time since which every deletion of every member is
-- known.
SELECT peers.id, last_stamp, log_epoch, claims_epoch,
    max(deletions_since, ifnull((SELECT max(members.deletions_since) FROM members WHERE claims = 1), 0)) AS deletions_since
FROM peers JOIN logbook ON logbook.id = 1
WHERE fingerprint = :fingerprint AND removed_at IS NULL;

-- name: remove_peer
UPDATE peers SET removed_at = :removed_at, fingerprint = NULL, ask_key = NULL, given_key = NULL, failure = NULL
WHERE id = :id AND removed_at IS NULL
RETURNING name;

-- name: list_all_removed_peers
-- Used by a restore: the peers that must not come back.
SELECT id, added_at AS created_at, removed_at FROM peers WHERE removed_at IS NOT NULL;

-- name: restore_removed_peer
-- Used by a restore: a removed peer stays removed. The next visit to any peer removes its claims.
UPDATE peers SET removed_at = :removed_at, fingerprint = NULL, ask_key = NULL, given_key = NULL, failure = NULL
WHERE id = :id AND added_at = :created_at AND removed_at IS NULL;

-- name: find_kept_peer
-- Checks whether a backup still has a peer that was removed since.
SELECT id FROM peers WHERE id = :id AND added_at = :created_at AND removed_at IS NULL;

-- name: list_all_peers_to_clear
SELECT id FROM peers WHERE removed_at IS NOT NULL AND claims > 0;

-- name: list_claims_of_peer
SELECT id FROM claims WHERE peer_id = :peer_id ORDER BY number LIMIT :limit;

-- name: delete_claimed_of_peer
DELETE FROM claimed WHERE peer_id = :peer_id;

-- name: delete_members_of_peer
DELETE FROM peer_members WHERE peer_id = :peer_id;

-- name: forget_skipped
-- Forgets skipped stations, because a station may belong to another peer from now on.
UPDATE peers SET seen_epoch = NULL WHERE id > 0 AND skipped > 0;

-- name: update_peer_visit
UPDATE peers SET asked_at = :asked_at, answered_at = ifnull(:answered_at, answered_at), failure = :failure
WHERE id = :id AND removed_at IS NULL;

-- name: list_claiming_members
-- Lists members whose log has changed since :since.
SELECT id, callsign, callsign_key, active FROM members
WHERE id >= :id AND claims = 1 AND log_revision > :since
ORDER BY id;

-- name: list_changes_to_claim
-- The value tells whether the peer has received this claim (2), another claim for the QSO (1), or nothing about the QSO
-- (0).
SELECT id, synced_at AS at, band, channel, mode, qso_at, worked_key, qso_status, operator_key,
    CASE WHEN NOT EXISTS (SELECT 1 FROM claimed
            WHERE claimed.member_id = qsos.member_id AND qso_id = qsos.id AND peer_id = :peer_id) THEN 0
        WHEN EXISTS (SELECT 1 FROM claimed
            WHERE claimed.member_id = qsos.member_id AND qso_id = qsos.id AND peer_id = :peer_id
                AND claimed.worked_key = qsos.worked_key) THEN 2
        ELSE 1 END AS told
FROM qsos
WHERE member_id = :member_id AND (synced_at, id) > (:at, :id)
ORDER BY synced_at, id
LIMIT :limit;

-- name: list_deletions_to_claim
SELECT id, deleted_at AS at,
    EXISTS (SELECT 1 FROM claimed
        WHERE claimed.member_id = tombstones.member_id AND qso_id = tombstones.id AND peer_id = :peer_id) AS told
FROM tombstones
WHERE member_id = :member_id AND (deleted_at, id) > (:at, :id)
ORDER BY deleted_at, id
LIMIT :limit;

-- name: list_claimed
SELECT worked_key FROM claimed WHERE member_id = :member_id AND qso_id = :qso_id AND peer_id = :peer_id;

-- name: write_claimed
INSERT OR IGNORE INTO claimed (member_id, qso_id, peer_id, worked_key)
SELECT :member_id, :qso_id, :peer_id, :worked WHERE EXISTS (
    SELECT 1 FROM peers WHERE id = :peer_id AND removed_at IS NULL);

-- name: delete_member_claimed
DELETE FROM claimed WHERE member_id = :member_id;

-- name: begin_visit
UPDATE peers SET visit = visit + 1
WHERE id = :id AND removed_at IS NULL AND paired_at IS NOT NULL
RETURNING seen_epoch IS NOT (SELECT claims_epoch FROM logbook WHERE logbook.id = 1) AS is_outdated;

-- name: begin_pull
-- Drops the cursor of a pull whose members are all gone, because nothing follows it.
UPDATE peers SET cursor = CASE WHEN cursor IS NOT NULL
        AND EXISTS (SELECT 1 FROM peer_members WHERE peer_id = :id AND pulling = 1) THEN cursor END
WHERE id = :id AND removed_at IS NULL AND paired_at IS NOT NULL
RETURNING epoch, cursor, round, visit;

-- name: find_pull
-- Finds the pull if it is still the present one.
SELECT claims FROM peers
WHERE id = :id AND removed_at IS NULL AND paired_at IS NOT NULL
    AND round = :round AND visit = :visit AND epoch IS :epoch AND cursor IS :cursor;

-- name: update_pull
UPDATE peers SET epoch = :epoch, cursor = :cursor, claims = claims + :added WHERE id = :id;

-- name: begin_round
-- Makes the next visit pull everything again.
UPDATE peers SET epoch = NULL, cursor = NULL, round = round + 1, skipped = 0, skipped_callsign = NULL,
    seen_epoch = (SELECT claims_epoch FROM logbook WHERE logbook.id = 1)
WHERE id = :id;

-- name: begin_round_of_members
UPDATE peer_members SET since = NULL, pulling = 0, visit = 0 WHERE peer_id = :peer_id;

-- name: add_all_peer_members
-- Rows of deleted members are removed before this. So no member is missing if there are as many rows as members.
INSERT OR IGNORE INTO peer_members (peer_id, callsign_key)
SELECT :peer_id, callsign_key
FROM (SELECT 1 WHERE (SELECT count(*) FROM peer_members WHERE peer_id = :peer_id) < (SELECT sum(claims) FROM members))
    CROSS JOIN members INDEXED BY members_by_callsign_key
WHERE claims = 1 AND (active = 1 OR EXISTS (SELECT 1 FROM claims WHERE worked_key = callsign_key));

-- part: gone_peer_members
-- Removes callsigns that no longer belong to a member, or whose member declines claims.
FROM peer_members
WHERE peer_id = :peer_id
    AND NOT EXISTS (SELECT 1 FROM members WHERE members.callsign_key = peer_members.callsign_key AND claims = 1)

-- name: list_claims_about_gone_members
-- Counts claims from all peers.
SELECT id FROM claims INDEXED BY claims_by_worked
WHERE worked_key IN (SELECT callsign_key {gone_peer_members})
LIMIT :limit;

-- name: delete_gone_peer_members
DELETE {gone_peer_members};

-- name: list_peer_members_to_ask
-- Lists the members of the running pull or, if no pull runs, members who were not asked for in this visit.
SELECT callsign_key, ifnull(since, 0) AS since FROM peer_members
WHERE peer_id = :peer_id AND iif(:pulling, pulling, visit < :visit)
ORDER BY callsign_key;

-- part: members_of_pull
-- Marks the members of the running pull or, up to the last chosen callsign, the chosen members, who are the first of
-- their kind.
peer_id = :peer_id
    AND (pulling = 1 OR (callsign_key <= :callsign AND visit < :visit AND (since IS NULL) = :is_first))

-- name: mark_peer_members
-- A visit that ends an earlier visit's pull asks for its members again, because the pulled claims are older.
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
-- Checks whether a station is our member, or was another peer's before. All claims of a station belong to one peer.
SELECT 1 AS found WHERE EXISTS (SELECT 1 FROM members WHERE callsign_key = :station)
    OR (SELECT min(peer_id) FROM claims WHERE station_key = :station) <> :peer_id;

-- name: write_claim
-- An existing claim keeps its QSO.
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
-- Lists claims about the members of a pull, from before its round.
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
