-- Spots from other clusters.

-- name: insert_network_spot
INSERT INTO network_spots (source, spotter, callsign, frequency, comment, spotted_at)
SELECT :source, :spotter, :callsign, :frequency, :comment, :spotted_at
WHERE NOT EXISTS (
    SELECT 1 FROM network_spots
    WHERE callsign = :callsign AND frequency = :frequency AND spotted_at BETWEEN :from AND :to)
AND NOT EXISTS (
    -- Omits a spot by our own member that another cluster has sent back.
    SELECT 1 FROM spots
    WHERE id > (SELECT max(id) FROM spots) - 500 AND dx_callsign = :callsign AND frequency BETWEEN :frequency - 500 AND :frequency + 500
        AND spotted_at BETWEEN :from AND :to);

-- name: list_network_spots
SELECT id, source, spotter, callsign AS dx_callsign, frequency, comment, spotted_at
FROM network_spots
WHERE spotted_at > :from
ORDER BY spotted_at DESC, id DESC;

-- name: delete_old_network_spots
DELETE FROM network_spots
WHERE spotted_at < :before
    OR id IN (SELECT id FROM network_spots AS newest ORDER BY spotted_at DESC, id DESC LIMIT -1 OFFSET :kept);

-- name: insert_announcer
INSERT OR IGNORE INTO announcers (member_id, since) VALUES (:member_id, :since);

-- name: delete_announcer
DELETE FROM announcers WHERE member_id = :member_id;

-- name: find_last_spot
SELECT coalesce(max(id), 0) AS id FROM spots;

-- name: list_announced_spots
{listed_spots} JOIN qsos ON qsos.id = qso_id JOIN announcers ON announcers.member_id = qsos.member_id
WHERE spots.id > :id AND spots.spotted_at >= max(:from, since)
ORDER BY spots.id;
