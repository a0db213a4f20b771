UPDATE qsos SET confirmed_by = :confirmed_by, cross_confirmed_at = :cross_confirmed_at,
    synced_at = :synced_at
WHERE id = :id
