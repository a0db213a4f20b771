INSERT INTO qsos (
    member_id, match_key, client_id, band, qso_at, frequency, channel, ctcss_tone, dcs_code,
    mode, callsign_worked, operator_callsign, dx_locator, dx_lat, dx_lng, tx_power, my_locator,
    split, path, qso_status, rst_sent, rst_received, qsl_sent, qsl_received, qsl_via, notes,
    radio, antenna, spotted_at, created_at, synced_at)
VALUES (
    :member_id, :match_key, :client_id, :band, :qso_at, :frequency, :channel, :ctcss_tone,
    :dcs_code, :mode, :callsign_worked, :operator_callsign, :dx_locator, :dx_lat, :dx_lng,
    :tx_power, :my_locator, :split, :path, :qso_status, :rst_sent, :rst_received, :qsl_sent,
    :qsl_received, :qsl_via, :notes, :radio, :antenna, :spotted_at, :created_at, :synced_at)
