-- A member's own log, for its owner to look at.

-- name: list_newest_qsos
SELECT id, client_id, band, qso_at, frequency, channel, ctcss_tone, dcs_code, mode, callsign_worked,
    operator_callsign, dx_locator, dx_lat, dx_lng, tx_power, my_locator, split, path, qso_status,
    rst_sent, rst_received, qsl_sent, qsl_received, qsl_via, notes, radio, antenna,
    cross_confirmed_at, spotted_at, created_at, synced_at
FROM qsos INDEXED BY qsos_by_time
WHERE member_id = :member_id AND qso_at BETWEEN :from AND :to
    AND (qso_at, id) < (:before, :before_id)
ORDER BY qso_at DESC, id DESC
LIMIT :limit;

-- name: search_qsos
-- The same of callsigns that begin so. What is found is sorted, of which there may be much: without the
-- rows.
SELECT id, client_id, band, qso_at, frequency, channel, ctcss_tone, dcs_code, mode, callsign_worked,
    operator_callsign, dx_locator, dx_lat, dx_lng, tx_power, my_locator, split, path, qso_status,
    rst_sent, rst_received, qsl_sent, qsl_received, qsl_via, notes, radio, antenna,
    cross_confirmed_at, spotted_at, created_at, synced_at
FROM qsos
WHERE id IN (
    SELECT id FROM qsos INDEXED BY qsos_by_worked
    WHERE member_id = :member_id AND worked_key >= :first AND worked_key < :end
        AND qso_at BETWEEN :from AND :to AND (qso_at, id) < (:before, :before_id)
    ORDER BY qso_at DESC, id DESC
    LIMIT :limit)
ORDER BY qso_at DESC, id DESC;

-- name: list_qso_times
-- From the index alone.
SELECT qso_at, confirmed_by IS NOT NULL AS confirmed FROM qsos INDEXED BY qsos_by_time
WHERE member_id = :member_id
ORDER BY qso_at, id;

-- name: list_unconfirmed_qsos
SELECT id, client_id, band, qso_at, frequency, channel, ctcss_tone, dcs_code, mode, callsign_worked,
    operator_callsign, dx_locator, dx_lat, dx_lng, tx_power, my_locator, split, path, qso_status,
    rst_sent, rst_received, qsl_sent, qsl_received, qsl_via, notes, radio, antenna,
    cross_confirmed_at, spotted_at, created_at, synced_at
FROM qsos INDEXED BY qsos_by_time
WHERE member_id = :member_id AND confirmed_by IS NULL
ORDER BY qso_at DESC, id DESC
LIMIT :limit;

-- name: list_qsos_of_contact
-- QSOs of a member with a station, around a time.
SELECT id, band, qso_at, channel, mode, callsign_worked, operator_callsign, qso_status, confirmed_by
FROM qsos INDEXED BY qsos_by_worked
WHERE member_id = :member_id AND worked_key = :worked AND qso_at BETWEEN :from AND :to
ORDER BY qso_at
LIMIT :limit;
