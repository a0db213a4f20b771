-- Spots.

-- name: insert_spot
INSERT INTO spots (qso_id, spotted_at, spotter, spotter_unicode, dx_callsign, dx_unicode, band, frequency, channel, ctcss_tone,
    dcs_code, mode, my_locator, dx_locator)
VALUES (:qso_id, :spotted_at, :spotter, :spotter_unicode, :dx_callsign, :dx_unicode, :band, :frequency, :channel, :ctcss_tone,
    :dcs_code, :mode, :my_locator, :dx_locator);

-- part: listed_spots
SELECT spots.id, spots.qso_id, spots.spotted_at, spots.spotter, spots.dx_callsign, spots.band, spots.frequency, spots.channel,
    spots.ctcss_tone, spots.dcs_code, spots.mode, spots.my_locator, spots.dx_locator
FROM spots

-- name: list_spots
{listed_spots}
WHERE id < :id
ORDER BY id DESC;

-- name: find_spot_before
-- Finds the spot after the newest :before spots below the number :id. If no row is returned, fewer spots exist.
SELECT id, spotted_at FROM spots INDEXED BY spots_to_filter
WHERE id < :id
ORDER BY id DESC
LIMIT 1 OFFSET :before;

-- name: list_wanted_spots
-- Lists spots that could match, using only the index; the program checks these spots again. A parameter that is NULL
-- does not filter.
{listed_spots} AS wanted INDEXED BY spots_to_filter CROSS JOIN spots ON spots.id = wanted.id
WHERE wanted.id < :id AND wanted.id > :after_id AND wanted.spotted_at >= :not_before
    AND (:band IS NULL OR wanted.band = :band)
    AND (:mode IS NULL OR wanted.mode = :mode)
    AND (:from IS NULL OR wanted.frequency >= :from)
    AND (:to IS NULL OR wanted.frequency <= :to)
    AND (:division IS NULL OR CAST(wanted.callsigns AS INTEGER) = :division)
    AND (:callsign IS NULL OR instr(wanted.callsigns, :callsign) > 0)
ORDER BY wanted.id DESC;

-- name: list_spots_of_station
{listed_spots}
WHERE spotter_key = :callsign
ORDER BY id DESC
LIMIT :limit;

-- name: delete_old_spot_times
-- Deletes the times of spots that are not from the last minute. A time in the future is from before the clock was set
-- back.
DELETE FROM spot_times
WHERE member_id = :member_id AND (spotted_at <= :before OR spotted_at > :now);

-- name: count_spot_times
SELECT count(*) AS spots FROM spot_times WHERE member_id = :member_id;

-- name: insert_spot_time
INSERT INTO spot_times (member_id, spotted_at) VALUES (:member_id, :spotted_at);
