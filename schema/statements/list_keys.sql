SELECT id, name, scope, hint, created_at, last_used_day, revoked_at
FROM api_keys
WHERE member_id = :member_id
ORDER BY id
