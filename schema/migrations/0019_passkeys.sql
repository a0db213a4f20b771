-- Passkeys, with which members sign in without a password, and the secret that the service's challenges are made with.

ALTER TABLE logbook ADD COLUMN challenge_secret BLOB CHECK (length(challenge_secret) = 32);
UPDATE logbook SET challenge_secret = randomblob(32);

CREATE TABLE passkeys (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    member_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
    name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 80),
    credential BLOB NOT NULL UNIQUE CHECK (length(credential) BETWEEN 1 AND 1023),
    point BLOB NOT NULL CHECK (length(point) = 64),
    sign_count INTEGER NOT NULL CHECK (sign_count BETWEEN 0 AND 4294967295),
    challenged_at INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    last_used_day INTEGER,
    copied_at INTEGER
) STRICT;

CREATE INDEX passkeys_by_member ON passkeys (member_id, id);

CREATE TRIGGER passkeys_limit_on_insert BEFORE INSERT ON passkeys
WHEN (SELECT count(*) FROM passkeys WHERE member_id = NEW.member_id) >= 10
BEGIN
    SELECT RAISE(ABORT, 'a member has at most 10 passkeys');
END;
