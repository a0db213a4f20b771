SELECT printf('member %d has more than 10 active keys', member_id)
FROM api_keys
WHERE revoked_at IS NULL
GROUP BY member_id
HAVING count(*) > 10
