-- A restore, in the copy of a backup that becomes the logbook.

-- name: list_sequences
SELECT name, seq FROM sqlite_sequence;

-- name: raise_sequence
-- Keeps the greater of the two logbooks' counters, so that no id is used again.
UPDATE sqlite_sequence SET seq = max(seq, :seq) WHERE name = :name;

-- name: add_sequence
INSERT INTO sqlite_sequence (name, seq)
SELECT :name, :seq WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = :name);

-- name: read_format
SELECT page_size, encoding FROM pragma_page_size, pragma_encoding;

-- name: keep_identity
-- Keeps the logbook's identity, because updating an older schema has given the copy another identity.
UPDATE logbook SET identity = :identity WHERE id = 1;

-- name: find_logbook_identity
SELECT id FROM logbook WHERE id = 1 AND identity = :identity;

-- name: list_ever_members
-- Lists everybody who is or was a member, by number and by the time when the member was added. Two different logbooks
-- never have both in common.
SELECT id, created_at FROM members UNION SELECT id, created_at FROM deleted_members;

-- name: find_ever_member
SELECT id FROM members WHERE id = :id AND created_at = :created_at
UNION ALL SELECT id FROM deleted_members WHERE id = :id AND created_at = :created_at;

-- name: read_side
-- Reads the facts by which a person can distinguish logbooks.
SELECT (SELECT count(*) FROM members) AS members, (SELECT count(*) FROM qsos) AS qsos, uploads,
    (SELECT group_concat(callsign, ', ') FROM (SELECT callsign FROM members WHERE id > 0 ORDER BY id LIMIT 3)) AS callsigns
FROM logbook WHERE id = 1;
