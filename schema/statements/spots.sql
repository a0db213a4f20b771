-- Spots.

-- name: insert_spot
INSERT INTO spots (qso_id, spotted_at, spotter, dx_callsign, band, frequency, channel, ctcss_tone,
    dcs_code, mode, my_locator, dx_locator)
VALUES (:qso_id, :spotted_at, :spotter, :dx_callsign, :band, :frequency, :channel, :ctcss_tone,
    :dcs_code, :mode, :my_locator, :dx_locator);

-- name: list_spots
SELECT qso_id, spotted_at, spotter, dx_callsign, band, frequency, channel, ctcss_tone, dcs_code,
    mode, my_locator, dx_locator
FROM spots
ORDER BY id DESC
LIMIT :limit;
