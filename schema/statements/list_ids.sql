SELECT id, client_id, synced_at FROM qsos
WHERE member_id = :member_id AND (synced_at, id) > (:synced_at, :id)
ORDER BY synced_at, id
