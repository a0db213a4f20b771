SELECT fingerprint, revoked_at FROM api_keys WHERE revoked_at IS NOT NULL
