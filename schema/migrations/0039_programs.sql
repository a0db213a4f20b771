-- The program that used a key, for the member's list of keys.

ALTER TABLE api_keys ADD COLUMN last_program TEXT CHECK (length(last_program) BETWEEN 1 AND 40);
