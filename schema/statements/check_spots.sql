SELECT printf('QSO %d and its spot disagree', qsos.id)
FROM qsos LEFT JOIN spots ON spots.qso_id = qsos.id
WHERE qsos.spotted_at IS NOT spots.spotted_at
