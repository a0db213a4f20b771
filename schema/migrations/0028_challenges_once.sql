-- A session knows the last challenge that was answered in it, so that none serves twice.

ALTER TABLE sessions ADD COLUMN challenged_at INTEGER NOT NULL DEFAULT 0;
