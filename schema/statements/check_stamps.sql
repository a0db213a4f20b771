SELECT printf('QSO %d has a later stamp than the logbook', qsos.id)
FROM qsos JOIN logbook ON qsos.synced_at > logbook.last_stamp
UNION ALL
SELECT printf('member %s has an older log revision than its QSOs', callsign)
FROM members
WHERE log_revision < (SELECT max(synced_at) FROM qsos WHERE member_id = members.id)
