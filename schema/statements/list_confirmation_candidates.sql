SELECT id FROM qsos INDEXED BY qsos_by_match_key
WHERE match_key = :key_before AND confirmed_by IS NULL AND member_id <> :member_id
UNION ALL
SELECT id FROM qsos INDEXED BY qsos_by_match_key
WHERE match_key = :key_same AND confirmed_by IS NULL AND member_id <> :member_id
UNION ALL
SELECT id FROM qsos INDEXED BY qsos_by_match_key
WHERE match_key = :key_after AND confirmed_by IS NULL AND member_id <> :member_id
