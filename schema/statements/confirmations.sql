-- Cross-confirmation.

-- name: list_confirmation_candidates
-- Free QSOs of other members in three neighbouring time slots; the program decides.
SELECT id FROM qsos INDEXED BY qsos_by_match_key
WHERE match_key = :key_before AND confirmed_by IS NULL AND member_id <> :member_id
UNION ALL
SELECT id FROM qsos INDEXED BY qsos_by_match_key
WHERE match_key = :key_same AND confirmed_by IS NULL AND member_id <> :member_id
UNION ALL
SELECT id FROM qsos INDEXED BY qsos_by_match_key
WHERE match_key = :key_after AND confirmed_by IS NULL AND member_id <> :member_id;

-- name: find_qso_by_id
SELECT member_id, active, members.callsign, qsos.id, band, qso_at, channel, mode, callsign_worked,
    operator_callsign, qso_status
FROM qsos JOIN members ON members.id = qsos.member_id
WHERE qsos.id = :id;

-- name: update_qso_match_key
UPDATE qsos SET match_key = :match_key WHERE id = :id;

-- name: update_qso_confirmation
UPDATE qsos SET confirmed_by = :confirmed_by, cross_confirmed_at = :cross_confirmed_at,
    synced_at = :synced_at
WHERE id = :id;
