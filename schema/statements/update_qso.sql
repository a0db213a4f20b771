UPDATE qsos SET
    band = :band, qso_at = :qso_at, frequency = :frequency, channel = :channel,
    ctcss_tone = :ctcss_tone, dcs_code = :dcs_code, mode = :mode,
    callsign_worked = :callsign_worked, operator_callsign = :operator_callsign,
    dx_locator = :dx_locator, dx_lat = :dx_lat, dx_lng = :dx_lng, tx_power = :tx_power,
    my_locator = :my_locator, split = :split, path = :path, qso_status = :qso_status,
    rst_sent = :rst_sent, rst_received = :rst_received, qsl_sent = :qsl_sent,
    qsl_received = :qsl_received, qsl_via = :qsl_via, notes = :notes, radio = :radio,
    antenna = :antenna, match_key = :match_key, spotted_at = :spotted_at, synced_at = :synced_at
WHERE id = :id
