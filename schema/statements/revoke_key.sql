UPDATE api_keys SET revoked_at = :revoked_at
WHERE id = :id AND member_id = :member_id AND revoked_at IS NULL
