INSERT INTO api_keys (member_id, name, scope, fingerprint, hint, created_at)
VALUES (:member_id, :name, :scope, :fingerprint, :hint, :created_at)
