SELECT member_id, active, members.callsign, qsos.id, band, qso_at, channel, mode, callsign_worked,
    operator_callsign, qso_status
FROM qsos INDEXED BY qsos_by_match_key JOIN members ON members.id = qsos.member_id
WHERE match_key = :match_key AND confirmed_by IS NULL
    AND member_id <> :member_id AND active = 1
