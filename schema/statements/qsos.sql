-- QSOs. Columns and parameters that belong to a field are held against the field table at the start.

-- name: insert_qso
INSERT INTO qsos (
    member_id, client_id, band, qso_at, frequency, channel, ctcss_tone, dcs_code,
    mode, callsign_worked, operator_callsign, dx_locator, dx_lat, dx_lng, tx_power, my_locator,
    split, path, qso_status, rst_sent, rst_received, qsl_sent, qsl_received, qsl_via, notes,
    radio, antenna, spotted_at, created_at, synced_at)
VALUES (
    :member_id, :client_id, :band, :qso_at, :frequency, :channel, :ctcss_tone,
    :dcs_code, :mode, :callsign_worked, :operator_callsign, :dx_locator, :dx_lat, :dx_lng,
    :tx_power, :my_locator, :split, :path, :qso_status, :rst_sent, :rst_received, :qsl_sent,
    :qsl_received, :qsl_via, :notes, :radio, :antenna, :spotted_at, :created_at, :synced_at);

-- name: update_qso
UPDATE qsos SET
    band = :band, qso_at = :qso_at, frequency = :frequency, channel = :channel,
    ctcss_tone = :ctcss_tone, dcs_code = :dcs_code, mode = :mode,
    callsign_worked = :callsign_worked, operator_callsign = :operator_callsign,
    dx_locator = :dx_locator, dx_lat = :dx_lat, dx_lng = :dx_lng, tx_power = :tx_power,
    my_locator = :my_locator, split = :split, path = :path, qso_status = :qso_status,
    rst_sent = :rst_sent, rst_received = :rst_received, qsl_sent = :qsl_sent,
    qsl_received = :qsl_received, qsl_via = :qsl_via, notes = :notes, radio = :radio,
    antenna = :antenna, spotted_at = :spotted_at, synced_at = :synced_at
WHERE id = :id;

-- name: delete_qso
DELETE FROM qsos WHERE id = :id;

-- name: find_qso
SELECT member_id, confirmed_by, id, client_id, band, qso_at, frequency, channel, ctcss_tone, dcs_code, mode, callsign_worked,
    operator_callsign, dx_locator, dx_lat, dx_lng, tx_power, my_locator, split, path, qso_status,
    rst_sent, rst_received, qsl_sent, qsl_received, qsl_via, notes, radio, antenna,
    cross_confirmed_at, spotted_at, created_at, synced_at
FROM qsos
WHERE client_id = :client_id;

-- name: find_nameless_qso
-- One without a clientId, which nothing else identifies.
SELECT member_id, confirmed_by, id, client_id, band, qso_at, frequency, channel, ctcss_tone, dcs_code, mode, callsign_worked,
    operator_callsign, dx_locator, dx_lat, dx_lng, tx_power, my_locator, split, path, qso_status,
    rst_sent, rst_received, qsl_sent, qsl_received, qsl_via, notes, radio, antenna,
    cross_confirmed_at, spotted_at, created_at, synced_at
FROM qsos
WHERE id = :id AND client_id IS NULL;

-- name: find_next_qso
SELECT id, synced_at, confirmed_by FROM qsos
WHERE member_id = :member_id AND (synced_at, id) > (:synced_at, :id) AND synced_at < :before
ORDER BY synced_at, id
LIMIT 1;

-- name: list_qsos
SELECT id, client_id, band, qso_at, frequency, channel, ctcss_tone, dcs_code, mode, callsign_worked,
    operator_callsign, dx_locator, dx_lat, dx_lng, tx_power, my_locator, split, path, qso_status,
    rst_sent, rst_received, qsl_sent, qsl_received, qsl_via, notes, radio, antenna,
    cross_confirmed_at, spotted_at, created_at, synced_at
FROM qsos
WHERE member_id = :member_id AND (synced_at, id) > (:synced_at, :id)
ORDER BY synced_at, id
LIMIT :limit;

-- name: list_ids_after_stamp
-- From the index alone, as the next one. A condition on (synced_at, id) would be tested for each row.
SELECT id, client_id FROM qsos
WHERE member_id = :member_id AND synced_at > :synced_at
ORDER BY synced_at, id;

-- name: list_ids_of_stamp
SELECT id, client_id FROM qsos
WHERE member_id = :member_id AND synced_at = :synced_at AND id > :id
ORDER BY id;

-- name: find_stamp
SELECT synced_at FROM qsos WHERE id = :id;
