-- Tombstones: deleted QSOs, and the time since which every deletion is known.

-- name: insert_tombstone
-- Inserts the tombstone of a QSO, before the QSO is deleted.
INSERT OR REPLACE INTO tombstones (id, member_id, deleted_at, client_id)
SELECT id, member_id, :deleted_at, client_id FROM qsos WHERE id = :id;

-- name: delete_tombstone
-- Removes the tombstone when its clientId is used again.
DELETE FROM tombstones WHERE client_id = :client_id AND member_id = :member_id;

-- name: delete_tombstone_without_client_id
-- Removes the tombstone when a QSO without a clientId is restored under its id.
DELETE FROM tombstones WHERE id = :id AND member_id = :member_id;

-- name: delete_old_tombstones
DELETE FROM tombstones
WHERE id IN (SELECT id FROM tombstones WHERE deleted_at <= :deleted_at ORDER BY deleted_at LIMIT :limit);

-- name: delete_member_tombstones
DELETE FROM tombstones
WHERE id IN (SELECT id FROM tombstones WHERE member_id = :member_id LIMIT :limit);

-- name: list_tombstones
SELECT id, client_id, deleted_at FROM tombstones
WHERE member_id = :member_id AND (deleted_at, id) > (:deleted_at, :id)
ORDER BY deleted_at, id
LIMIT :limit;

-- name: find_deletions_since
SELECT max(logbook.deletions_since, members.deletions_since) AS deletions_since
FROM members JOIN logbook ON logbook.id = 1
WHERE members.id = :member_id;

-- name: raise_deletions_since
-- Used before tombstones with stamps up to :deletions_since are removed. Changes nothing if no such tombstones exist.
UPDATE logbook SET deletions_since = max(deletions_since, :deletions_since)
WHERE id = 1 AND EXISTS (SELECT 1 FROM tombstones WHERE deleted_at <= :deletions_since);

-- name: update_member_deletions_since
UPDATE members SET deletions_since = :deletions_since WHERE id = :member_id;
