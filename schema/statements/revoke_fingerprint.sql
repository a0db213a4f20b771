UPDATE api_keys SET revoked_at = :revoked_at
WHERE fingerprint = :fingerprint AND revoked_at IS NULL
