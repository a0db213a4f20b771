SELECT printf('QSO %d is confirmed by QSO %d, which does not confirm it', mine.id, other.id)
FROM qsos AS mine JOIN qsos AS other ON other.id = mine.confirmed_by
WHERE other.confirmed_by IS NOT mine.id
    OR other.member_id = mine.member_id
    OR other.cross_confirmed_at IS NOT mine.cross_confirmed_at
