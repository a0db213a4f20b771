INSERT INTO spots (qso_id, spotted_at, spotter, dx_callsign, band, frequency, channel, ctcss_tone,
    dcs_code, mode, my_locator, dx_locator)
VALUES (:qso_id, :spotted_at, :spotter, :dx_callsign, :band, :frequency, :channel, :ctcss_tone,
    :dcs_code, :mode, :my_locator, :dx_locator)
