-- Other clubs' services: pairing, keys and visits.

-- name: insert_peer_code
INSERT INTO peer_codes (fingerprint, address, made_at, expires_at)
VALUES (:fingerprint, :address, :made_at, :expires_at);

-- name: list_all_peer_codes
-- Used by a restore: lists the codes, so that a used code remains used.
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
-- Counts the QSOs that a peer's claims confirm. The statement reads the whole table, because nearly all claims belong
-- to one peer, and an index would cost each insert a search.
SELECT count(*) AS confirmations FROM claims NOT INDEXED WHERE peer_id = :peer_id AND qso_id IS NOT NULL;

-- name: identify_peer
SELECT id FROM peers WHERE fingerprint = :fingerprint AND removed_at IS NULL;

-- name: find_peer_by_fingerprint
-- Finds the peer that sent a request, and the logbook's newest stamp. "deletions_since" is the time since which every
-- deletion is known, in the logs of members who take part in confirmations by peers.
SELECT peers.id, last_stamp, log_epoch, claims_epoch,
    max(deletions_since, ifnull((SELECT max(members.deletions_since) FROM members WHERE claims = 1), 0)) AS deletions_since
FROM peers JOIN logbook ON logbook.id = 1
WHERE fingerprint = :fingerprint AND removed_at IS NULL;

-- name: remove_peer
UPDATE peers SET removed_at = :removed_at, fingerprint = NULL, ask_key = NULL, given_key = NULL, failure = NULL
WHERE id = :id AND removed_at IS NULL
RETURNING name;

-- name: list_all_removed_peers
-- Used by a restore: lists the peers that must stay removed.
SELECT id, added_at AS created_at, removed_at FROM peers WHERE removed_at IS NOT NULL;

-- name: restore_removed_peer
-- Used by a restore: records a removed peer, which remains removed. The next visit to any peer removes the removed
-- peer's claims.
UPDATE peers SET removed_at = :removed_at, fingerprint = NULL, ask_key = NULL, given_key = NULL, failure = NULL
WHERE id = :id AND added_at = :created_at AND removed_at IS NULL;

-- name: find_kept_peer
-- Checks whether a backup still contains a peer that has been removed since.
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
-- Makes the next visit to each peer with skipped stations pull all claims again, because those stations can now belong
-- to another peer.
UPDATE peers SET seen_epoch = NULL WHERE id > 0 AND skipped > 0;

-- name: update_peer_visit
UPDATE peers SET asked_at = :asked_at, answered_at = ifnull(:answered_at, answered_at), failure = :failure
WHERE id = :id AND removed_at IS NULL;
