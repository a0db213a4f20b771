-- Keys of the service's own app, which are listed and revoked together with their browser. The app's older keys have a
-- name that the app suggested; nothing says which browser has them.

ALTER TABLE api_keys ADD COLUMN session_id INTEGER CHECK (session_id >= 0);
CREATE INDEX api_keys_by_session ON api_keys (session_id) WHERE session_id IS NOT NULL;

UPDATE api_keys SET session_id = 0 WHERE scope = 'WRITE' AND revoked_at IS NULL AND name GLOB 'App, *';
