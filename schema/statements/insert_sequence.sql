INSERT INTO sqlite_sequence (name, seq)
SELECT :name, :seq
WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = :name)
