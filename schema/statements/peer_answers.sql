-- Our answers to a peer: claims and deletions, and which of these the peer has already received.

-- name: list_claiming_members
-- Lists members who take part in confirmations by peers, and whose log has changed since :since.
SELECT id, callsign, callsign_key, active FROM members
WHERE id >= :id AND claims = 1 AND log_revision > :since
ORDER BY id;

-- name: list_changes_to_claim
-- Lists changed QSOs. "told" shows the claims that the peer has already received: with this worked callsign (2), only
-- with other worked callsigns (1), or none (0).
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
