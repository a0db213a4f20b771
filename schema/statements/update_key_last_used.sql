UPDATE api_keys SET last_used_day = :last_used_day WHERE id = :id
