-- Restoring, in the copy of a backup that becomes the logbook.

-- name: list_sequences
SELECT name, seq FROM sqlite_sequence;

-- name: raise_sequence
-- No id is used again, whichever of both has come further.
UPDATE sqlite_sequence SET seq = max(seq, :seq) WHERE name = :name;

-- name: add_sequence
INSERT INTO sqlite_sequence (name, seq)
SELECT :name, :seq WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = :name);

-- name: read_format
SELECT page_size, encoding FROM pragma_page_size, pragma_encoding;
