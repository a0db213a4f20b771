-- Members sign in: browsers that are signed in, the links that let one in, the operator's role, what the club says
-- of itself, and a log of what operators did.

-- Browsers that are signed in. A session that ended has no row.
CREATE TABLE sessions (
    -- its number in lists and for signing out; never used twice
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    member_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
    -- SHA-256 of the cookie's value, which is stored nowhere
    fingerprint BLOB NOT NULL UNIQUE CHECK (length(fingerprint) = 32),
    -- browser and system in words
    device TEXT NOT NULL CHECK (length(device) BETWEEN 1 AND 80),
    created_at INTEGER NOT NULL,
    -- as days since 1970-01-01; it ends 400 days later
    last_used_day INTEGER NOT NULL,
    -- when the password was given, or an invitation used, last; 0: never
    proved_at INTEGER NOT NULL,
    -- 1: opened by an invitation, so that a password may be set without the former one, until one is set
    may_set_password INTEGER NOT NULL CHECK (may_set_password IN (0, 1))
) STRICT;

CREATE INDEX sessions_by_member ON sessions (member_id, last_used_day);

CREATE INDEX sessions_by_day ON sessions (last_used_day);

-- Links that sign a member in, once each. Those that do not work any more are kept for a while, to be told apart.
CREATE TABLE sign_in_links (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    member_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
    -- 0: an invitation of an operator; 1: for another device, by a member who is signed in
    kind INTEGER NOT NULL CHECK (kind IN (0, 1)),
    -- SHA-256 of the link's secret, which is stored nowhere
    fingerprint BLOB NOT NULL UNIQUE CHECK (length(fingerprint) = 32),
    made_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    -- when it was used, or another one took its place, or it was taken back; NULL: it has not been
    used_at INTEGER,
    replaced_at INTEGER
) STRICT;

-- One of a kind that works for each member.
CREATE UNIQUE INDEX sign_in_links_open ON sign_in_links (member_id, kind)
WHERE used_at IS NULL AND replaced_at IS NULL;

CREATE INDEX sign_in_links_by_member ON sign_in_links (member_id, id);

CREATE INDEX sign_in_links_by_end ON sign_in_links (expires_at);

-- Front servers checked passwords that were made, by other hashes; members choose their own now.
UPDATE members SET password_hash = NULL WHERE password_hash NOT GLOB '$y$*';

-- 1: may use the operator's page
ALTER TABLE members ADD COLUMN is_operator INTEGER NOT NULL DEFAULT 0 CHECK (is_operator IN (0, 1));

CREATE INDEX members_operators ON members (is_operator) WHERE is_operator = 1;

-- What the club says of itself: one row. NULL: nothing.
CREATE TABLE club (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    name TEXT CHECK (length(name) BETWEEN 1 AND 80),
    text TEXT CHECK (length(text) BETWEEN 1 AND 500),
    link TEXT CHECK (length(link) BETWEEN 1 AND 500),
    contact TEXT CHECK (length(contact) BETWEEN 1 AND 200),
    -- imprint: plain text or a link
    legal TEXT CHECK (length(legal) BETWEEN 1 AND 2000),
    -- of the service, without a slash at the end: https://log.example.org
    address TEXT CHECK (length(address) BETWEEN 1 AND 500),
    -- stamp of the write that set it last; 0: nobody ever did
    set_at INTEGER NOT NULL DEFAULT 0
) STRICT;

INSERT INTO club (id) VALUES (1);

-- What operators did, by their page or by the command; kept for a year.
CREATE TABLE operator_log (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    -- the callsign of the operator who was signed in; NULL: the command
    operator TEXT CHECK (length(operator) BETWEEN 1 AND 20),
    -- "member add", as the command is called
    act TEXT NOT NULL CHECK (length(act) BETWEEN 1 AND 40),
    -- a callsign, or what else it was done to; NULL: the logbook as a whole
    subject TEXT CHECK (length(subject) BETWEEN 1 AND 200),
    details TEXT CHECK (length(details) BETWEEN 1 AND 500)
) STRICT;

CREATE INDEX operator_log_by_time ON operator_log (at);
