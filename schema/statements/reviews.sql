-- Decisions that must be repeated after members have changed (src/store/people/reviews.c).

-- name: find_review
SELECT id, ifnull(member_id, 0) AS member_id, callsign_key, before, synced_at, qso_id,
    EXISTS (SELECT 1 FROM members WHERE members.callsign_key = reviews.callsign_key) AS is_owned
FROM reviews
WHERE id > 0
ORDER BY id
LIMIT 1;

-- name: has_review
SELECT 1 FROM reviews WHERE id > 0 LIMIT 1;

-- name: update_review
UPDATE reviews SET synced_at = :synced_at, qso_id = :qso_id WHERE id = :id;

-- name: delete_review
DELETE FROM reviews WHERE id = :id;

-- name: find_callsign_to_fold
SELECT callsign FROM members WHERE id = :id AND callsign GLOB '*[^ -~]*' AND callsign_unicode IS NULL;

-- name: update_callsign_unicode
UPDATE members SET callsign_unicode = :callsign_unicode WHERE id = :id;

-- name: find_callsigns_to_fold
-- Finds a QSO that was stored before letters beyond ASCII were compared without regard to case.
SELECT callsign_worked, operator_callsign FROM qsos
WHERE id = :id AND ((callsign_worked GLOB '*[^ -~]*' AND worked_unicode IS NULL)
    OR (operator_callsign GLOB '*[^ -~]*' AND operator_unicode IS NULL));

-- name: update_qso_unicode
UPDATE qsos SET worked_unicode = :worked_unicode, operator_unicode = :operator_unicode WHERE id = :id;

-- name: find_claim_of_station
SELECT claims.id, peer_id, station, qso_id, claimed_at
FROM claims INDEXED BY claims_by_station LEFT JOIN qsos ON qsos.id = qso_id
WHERE station_key = :station
LIMIT 1;

-- name: keep_claimed_at
-- Keeps the time of the confirmation, in case the station, now our member, confirms the QSO.
UPDATE qsos SET claimed_at = :claimed_at WHERE id = :id AND confirmed_by IS NULL AND claim_id IS NULL;

-- name: find_next_qso_under_callsign
-- Finds the next QSO under the callsign that can be confirmed, and that no member's QSO confirms.
SELECT id FROM qsos INDEXED BY qsos_under_callsign
WHERE operator_key = :callsign AND operator_callsign IS NOT NULL AND contact_kind >= 0 AND id > :after
ORDER BY id
LIMIT 1;
