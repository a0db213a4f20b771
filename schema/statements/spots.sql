-- Spots.

-- name: insert_spot
INSERT INTO spots (qso_id, spotted_at, spotter, dx_callsign, band, frequency, channel, ctcss_tone,
    dcs_code, mode, my_locator, dx_locator)
VALUES (:qso_id, :spotted_at, :spotter, :dx_callsign, :band, :frequency, :channel, :ctcss_tone,
    :dcs_code, :mode, :my_locator, :dx_locator);

-- name: list_spots
SELECT id, qso_id, spotted_at, spotter, dx_callsign, band, frequency, channel, ctcss_tone, dcs_code,
    mode, my_locator, dx_locator
FROM spots
ORDER BY id DESC;

-- name: list_spots_after
SELECT id, qso_id, spotted_at, spotter, dx_callsign, band, frequency, channel, ctcss_tone, dcs_code,
    mode, my_locator, dx_locator
FROM spots
WHERE id > :id
ORDER BY id;

-- name: list_member_spots
SELECT spots.id, qso_id, spots.spotted_at, spotter, dx_callsign, spots.band, spots.frequency, spots.channel,
    spots.ctcss_tone, spots.dcs_code, spots.mode, spots.my_locator, spots.dx_locator
FROM spots JOIN qsos ON qsos.id = qso_id
WHERE member_id = :member_id;
