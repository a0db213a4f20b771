UPDATE sqlite_sequence SET seq = max(seq, :seq) WHERE name = :name
