-- The upload door: whether it is open, and its tokens.

-- 1: clients of the upload door are served
ALTER TABLE logbook ADD COLUMN uploads INTEGER NOT NULL DEFAULT 0 CHECK (uploads IN (0, 1));

-- What a logging program uploads with. Not an API key: it stands in addresses, creates QSOs, and reads
-- nothing but callsign and locator.
CREATE TABLE upload_tokens (
    -- the token's number in lists and for revoking
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    member_id INTEGER NOT NULL REFERENCES members (id),
    -- the program that uses the token
    name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 80),
    -- SHA-256 of the whole token; the token itself is stored nowhere
    fingerprint BLOB NOT NULL UNIQUE CHECK (length(fingerprint) = 32),
    -- the first characters of the token, for lists
    hint TEXT NOT NULL CHECK (length(hint) <= 14),
    created_at INTEGER NOT NULL,
    -- the day of the last use, as days since 1970-01-01
    last_used_day INTEGER,
    -- when it was revoked; NULL: it works
    revoked_at INTEGER
) STRICT;

CREATE INDEX upload_tokens_by_member ON upload_tokens (member_id, id);

-- At most ten active tokens a member, whoever writes and however many at once.
CREATE TRIGGER upload_tokens_limit_on_insert BEFORE INSERT ON upload_tokens
WHEN NEW.revoked_at IS NULL
    AND (SELECT count(*) FROM upload_tokens
         WHERE member_id = NEW.member_id AND revoked_at IS NULL) >= 10
BEGIN
    SELECT RAISE(ABORT, 'a member has at most 10 active upload tokens');
END;

-- Revoking is final, and a token never changes hands or fingerprint.
CREATE TRIGGER upload_tokens_stay_what_they_are BEFORE UPDATE ON upload_tokens
WHEN (OLD.revoked_at IS NOT NULL AND NEW.revoked_at IS NULL)
    OR NEW.member_id <> OLD.member_id
    OR NEW.fingerprint <> OLD.fingerprint
BEGIN
    SELECT RAISE(ABORT, 'a token is changed only by revoking it');
END;
