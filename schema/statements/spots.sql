-- Spots.

-- name: insert_spot
INSERT INTO spots (qso_id, spotted_at, spotter, dx_callsign, band, frequency, channel, ctcss_tone,
    dcs_code, mode, my_locator, dx_locator)
VALUES (:qso_id, :spotted_at, :spotter, :dx_callsign, :band, :frequency, :channel, :ctcss_tone,
    :dcs_code, :mode, :my_locator, :dx_locator);

-- part: listed_spots
SELECT spots.id, qso_id, spots.spotted_at, spotter, dx_callsign, spots.band, spots.frequency, spots.channel,
    spots.ctcss_tone, spots.dcs_code, spots.mode, spots.my_locator, spots.dx_locator
FROM spots

-- name: list_spots
{listed_spots}
WHERE id < :id
ORDER BY id DESC;

-- name: delete_old_spot_times
-- Spots of another minute; spots in the future are from before the clock was set back.
DELETE FROM spot_times
WHERE member_id = :member_id AND (spotted_at <= :before OR spotted_at > :now);

-- name: count_spot_times
SELECT count(*) AS spots FROM spot_times WHERE member_id = :member_id;

-- name: insert_spot_time
INSERT INTO spot_times (member_id, spotted_at) VALUES (:member_id, :spotted_at);
