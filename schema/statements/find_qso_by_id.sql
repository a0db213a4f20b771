SELECT member_id, active, members.callsign, qsos.id, band, qso_at, channel, mode, callsign_worked,
    operator_callsign, qso_status
FROM qsos JOIN members ON members.id = qsos.member_id
WHERE qsos.id = :id
