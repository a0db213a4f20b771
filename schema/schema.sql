-- The schema of a QSOsync logbook: one SQLite database, the only state of the service. This file creates a new
-- logbook. The migrations in schema/migrations bring older logbooks to this schema, so some columns are at the end of
-- their table. The programs open the database in WAL mode with foreign keys enforced; their statements are in
-- schema/statements. To show QSOs in a readable form, use the view that schema/views.sql adds:
-- sqlite3 logbook.db 'SELECT * FROM readable_qsos LIMIT 10'.
--
--   logbook, club, operator_log      the service, and the acts of its operators
--   members                          people with a log here, and stations; each row below belongs to a member:
--     former_callsigns               previous callsigns
--     api_keys, upload_tokens, sessions, sign_in_links, passkeys, key_refusals    access to the log and the pages
--     cards                          QSL cards
--     grants, made_by                for a station: who may operate it, and who created each QSO
--     page_counts, page_worked       for a station: the content of its page
--     qsos                           the log; spots, extra ADIF fields, and tombstones of deleted QSOs have tables too
--     known_records, program_ids     the QSO that a record from another program became
--     polo_records                   PoLo's records that are not QSOs in the log
--     acts, "former", gone           the history of the log, with which writes can be undone
--     storage                        number of bytes stored in addition to QSOs
--     alert_settings, alert_rules, alert_names, alert_mutes, alert_ways    the alerts that a member wants
--     alerts, alert_deliveries       the alerts of the last days, and what is left to send
--   alert_state                      what "alerts send" has examined
--   peers, peer_codes, peer_members, claims, claimed    other clubs' services, and their confirmations
--
-- In every table:
-- * A time is a whole number of milliseconds since 1970-01-01T00:00:00Z, unless its column says otherwise.
-- * A stamp is a time that also orders writes: each transaction that writes has a greater stamp than all earlier
--   transactions, even if the clock was set back. All rows of one write have the same stamp. Clients synchronise by
--   stamps, never by clocks.
-- * A UUID is a BLOB of 16 bytes.
-- * Callsigns are compared in upper case without spaces, hyphens and dots; columns named ..._key contain that form. If
--   a callsign has letters beyond ASCII, the program computes the form (..._unicode).
-- * NULL means that there is no value, unless its column says otherwise.
-- * Secrets that others present (keys, tokens, cookies, links) are stored as SHA-256 hashes, and passwords as crypt(3)
--   hashes.
-- * An operator is a member who runs the service. In the columns of a QSO, "operator" is the radio operator.
-- * The program checks rows before it stores them (src/qso/values.c). The CHECK constraints are the last defence
--   against a bug in the program, and do not contain every rule.

PRAGMA user_version = 43;

-- One row about the whole logbook.
CREATE TABLE logbook (
    -- always 1: the table has one row
    id INTEGER PRIMARY KEY CHECK (id = 1),
    -- the greatest stamp of any write; the next write has a greater stamp
    last_stamp INTEGER NOT NULL,
    -- number that each restore of a backup increments, so that clients notice the restore and compare their whole log.
    -- Stamps continue from the greatest stamp in both logbooks
    log_epoch INTEGER NOT NULL CHECK (log_epoch >= 1),
    -- 1: members' programs may upload QSOs with upload tokens
    uploads INTEGER NOT NULL DEFAULT 0 CHECK (uploads IN (0, 1)),
    -- stamp after which every deletion still has its tombstone; 0: all deletions have a tombstone
    deletions_since INTEGER NOT NULL DEFAULT 0,
    -- stamp of the last write that set "uploads"; 0: never. A restore keeps the later decision
    uploads_set_at INTEGER NOT NULL DEFAULT 0,
    -- stamp of the last restore; 0: the logbook was never restored
    restored_at INTEGER NOT NULL DEFAULT 0,
    -- random number, equal in all backups of this logbook, so that nobody restores another logbook's backup by mistake.
    -- Never NULL in a logbook with this schema
    identity BLOB CHECK (length(identity) = 16),
    -- random secret for passkey challenges and for the cookies of sessions. A restore creates another secret. Never
    -- NULL in a logbook with this schema
    challenge_secret BLOB CHECK (length(challenge_secret) = 32),
    -- number whose increment makes this service and its peers compare all claims. Incremented when a change to a member
    -- adds or removes claims, and when peers would not learn about a deletion
    claims_epoch INTEGER NOT NULL DEFAULT 0,
    -- state of the clock when it was last read, because a wrong clock would make data seem old (src/store/ageing.c):
    -- the clock's time (0: never read), a number that identifies the boot, and the milliseconds since that boot
    clock_at INTEGER NOT NULL DEFAULT 0,
    clock_boot INTEGER NOT NULL DEFAULT 0,
    clock_uptime INTEGER NOT NULL DEFAULT 0,
    -- the clock's time when a jump was noticed; until the clock is trusted again, nothing is removed because of its
    -- age. 0: the clock is trusted
    clock_doubted_at INTEGER NOT NULL DEFAULT 0,
    -- last stamp when the clock was confirmed, or trusted again after a jump; stamps up to this stamp may be ahead of
    -- the clock. 0: never
    clock_confirmed INTEGER NOT NULL DEFAULT 0
) STRICT;

INSERT INTO logbook (id, last_stamp, log_epoch, identity, challenge_secret)
VALUES (1, 0, 1, randomblob(16), randomblob(32));

-- The club's description of itself on the pages, and the service's address: one row, set by the operator.
CREATE TABLE club (
    -- always 1: the table has one row
    id INTEGER PRIMARY KEY CHECK (id = 1),
    name TEXT CHECK (length(name) BETWEEN 1 AND 80),
    -- description of the club in a line or two, on the front page
    text TEXT CHECK (length(text) BETWEEN 1 AND 500),
    -- address of the club's own website
    link TEXT CHECK (length(link) BETWEEN 1 AND 500),
    -- text about how members can reach the operator
    contact TEXT CHECK (length(contact) BETWEEN 1 AND 200),
    -- legal notice: plain text or a link
    legal TEXT CHECK (length(legal) BETWEEN 1 AND 2000),
    -- the service's address, without a final slash: https://log.example.org. Links, invitations and QR codes contain
    -- this address
    address TEXT CHECK (length(address) BETWEEN 1 AND 500),
    -- whether the front page shows the counts of members and QSOs; NULL: yes
    numbers TEXT CHECK (numbers IN ('on', 'off')),
    -- stamp of the last write that set or cleared each column; 0: never. A restore keeps the later value of each column
    name_set_at INTEGER NOT NULL DEFAULT 0,
    text_set_at INTEGER NOT NULL DEFAULT 0,
    link_set_at INTEGER NOT NULL DEFAULT 0,
    contact_set_at INTEGER NOT NULL DEFAULT 0,
    legal_set_at INTEGER NOT NULL DEFAULT 0,
    address_set_at INTEGER NOT NULL DEFAULT 0,
    numbers_set_at INTEGER NOT NULL DEFAULT 0,
    -- accent colour of the pages; NULL: blue
    accent TEXT CHECK (accent IN ('blue', 'green', 'teal', 'purple', 'pink', 'brown')),
    accent_set_at INTEGER NOT NULL DEFAULT 0,
    -- DX clusters from which spots are read, HOST:PORT separated by commas; NULL: no clusters
    clusters TEXT CHECK (length(clusters) BETWEEN 1 AND 200),
    clusters_set_at INTEGER NOT NULL DEFAULT 0,
    -- callsign with which the service signs in to the clusters
    station TEXT CHECK (length(station) BETWEEN 1 AND 20),
    station_set_at INTEGER NOT NULL DEFAULT 0,
    -- command that is sent to the clusters after signing in, such as "accept/spots on hf"
    filter TEXT CHECK (length(filter) BETWEEN 1 AND 80),
    filter_set_at INTEGER NOT NULL DEFAULT 0,
    -- whether the pictures of members' cards are shown; NULL: yes
    pictures TEXT CHECK (pictures IN ('on', 'off')),
    pictures_set_at INTEGER NOT NULL DEFAULT 0,
    -- 1: the command line set "clusters", which may therefore be addresses on this machine or in a private network
    clusters_by_command INTEGER NOT NULL DEFAULT 0 CHECK (clusters_by_command IN (0, 1)),
    -- whether authors of programs may create sandboxes; NULL: no
    sandbox TEXT CHECK (sandbox IN ('on', 'off')),
    sandbox_set_at INTEGER NOT NULL DEFAULT 0,
    -- whether alerts are sent; NULL: yes
    alerts TEXT CHECK (alerts IN ('on', 'off')),
    alerts_set_at INTEGER NOT NULL DEFAULT 0
) STRICT;

INSERT INTO club (id) VALUES (1);

-- Acts of operators on the command line or on the operator's page, kept for a year.
CREATE TABLE operator_log (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    -- callsign of the operator who was signed in; NULL: the act was a command
    operator TEXT CHECK (length(operator) BETWEEN 1 AND 20),
    -- name of the command, such as "member add", even if the act was done on the page
    act TEXT NOT NULL CHECK (length(act) BETWEEN 1 AND 40),
    -- callsign or other object that the act changed; NULL: the whole logbook
    subject TEXT CHECK (length(subject) BETWEEN 1 AND 200),
    -- details of the outcome; NULL: the act needs no details
    details TEXT CHECK (length(details) BETWEEN 1 AND 500)
) STRICT;

CREATE INDEX operator_log_by_time ON operator_log (at);

-- People who have a log here, and stations, which others operate. When a member is deleted, the program finally removes
-- all their data. Other members' QSOs that a deleted QSO confirmed become unconfirmed.
CREATE TABLE members (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    -- callsign in upper case, trimmed; the station callsign of each QSO without an operator_callsign
    callsign TEXT NOT NULL UNIQUE COLLATE NOCASE CHECK (length(callsign) BETWEEN 1 AND 20),
    -- Maidenhead locator in its normal form, with 4 or 6 characters
    locator TEXT NOT NULL CHECK (
        locator GLOB '[A-R][A-R][0-9][0-9]'
        OR locator GLOB '[A-R][A-R][0-9][0-9][a-x][a-x]'),
    -- alternative name for signing in; by default the callsign in lower case
    login TEXT NOT NULL UNIQUE CHECK (length(login) BETWEEN 1 AND 200),
    -- 0: the member is disabled; no key, token, link or session works, and the log takes part in no new confirmation
    active INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1)),
    -- stamp of the last write to this log, including confirmations by other members; pages detect changes by this stamp
    log_revision INTEGER NOT NULL DEFAULT 0,
    -- time at which the member was added
    created_at INTEGER NOT NULL,
    -- as in "logbook", but only for this log: each part of the member's deletion raises this stamp. Clients use the
    -- greater stamp
    deletions_since INTEGER NOT NULL DEFAULT 0,
    -- crypt(3) hash (yescrypt) of the password; NULL: no password
    password_hash TEXT CHECK (length(password_hash) BETWEEN 1 AND 500),
    -- stamp of the last write that set or cleared the password; 0: never. A restore keeps the later decision
    password_set_at INTEGER NOT NULL DEFAULT 0,
    -- random secret, from which the member's code for the cluster feed is derived; NULL: not needed so far
    feed_secret BLOB CHECK (length(feed_secret) = 16),
    -- 1: the member is an operator and may use the operator's page
    is_operator INTEGER NOT NULL DEFAULT 0 CHECK (is_operator IN (0, 1)),
    -- greatest edit number in this log so far (see "acts")
    last_edit INTEGER NOT NULL DEFAULT 0,
    -- 0: the member does not take part in confirmations by other clubs
    claims INTEGER NOT NULL DEFAULT 1 CHECK (claims IN (0, 1)),
    -- 1: the member is a station, operated by the members in "grants"; nobody signs in as a station
    is_station INTEGER NOT NULL DEFAULT 0
        CHECK (is_station IN (0, 1) AND (is_station = 0 OR (password_hash IS NULL AND is_operator = 0))),
    -- 1: the station's page /log/STATION is public, and shows on which days the station had QSOs with a callsign
    log_page INTEGER NOT NULL DEFAULT 0 CHECK (log_page IN (0, 1) AND log_page <= is_station),
    -- stamp of the last write that set "log_page"; 0: never. A restore keeps the later decision
    log_page_set_at INTEGER NOT NULL DEFAULT 0,
    -- the callsign in its form for comparisons, if it contains letters beyond ASCII, which SQLite cannot convert;
    -- otherwise NULL
    callsign_unicode TEXT,
    -- callsign in its form for comparisons
    callsign_key TEXT GENERATED ALWAYS AS (
        ifnull(callsign_unicode, replace(replace(replace(upper(callsign), ' ', ''), '-', ''), '.', ''))) VIRTUAL,
    -- code of the plan by which the member numbers the CB channels; NULL: guessed from the callsign
    channel_plan TEXT CHECK (length(channel_plan) BETWEEN 1 AND 10)
) STRICT;

CREATE INDEX members_by_callsign_key ON members (callsign_key);
CREATE INDEX members_operators ON members (is_operator) WHERE is_operator = 1;
CREATE INDEX members_stations ON members (is_station) WHERE is_station = 1;

-- Two members must not have callsigns that compare as equal. Triggers enforce this rule, because an older logbook can
-- contain two such members, and a unique index could then not be created.
CREATE TRIGGER members_differ_on_insert AFTER INSERT ON members
WHEN EXISTS (SELECT 1 FROM members WHERE callsign_key = NEW.callsign_key AND id <> NEW.id)
BEGIN
    SELECT RAISE(ABORT, 'another member has this callsign');
END;

CREATE TRIGGER members_differ_on_update AFTER UPDATE OF callsign ON members
WHEN EXISTS (SELECT 1 FROM members WHERE callsign_key = NEW.callsign_key AND id <> NEW.id)
BEGIN
    SELECT RAISE(ABORT, 'another member has this callsign');
END;

CREATE TRIGGER members_change_claims AFTER UPDATE OF callsign, active, claims ON members
WHEN OLD.callsign <> NEW.callsign OR OLD.active < NEW.active OR OLD.claims <> NEW.claims
BEGIN
    UPDATE logbook SET claims_epoch = claims_epoch + 1;
END;

CREATE TRIGGER members_end_claims AFTER DELETE ON members
BEGIN
    UPDATE logbook SET claims_epoch = claims_epoch + 1;
END;

-- Confirmations that must be re-evaluated after members have changed: a member became active again, or a callsign now
-- belongs to a member or no longer does. The transaction that changes the member reviews the first part; later
-- transactions review the rest (src/store/people/reviews.c) and remove the row.
CREATE TABLE reviews (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    -- owner of the log in which QSOs with stamps earlier than "before" are reviewed; NULL: the row is for a callsign
    member_id INTEGER UNIQUE REFERENCES members (id) ON DELETE CASCADE,
    -- callsign under which other members have logged QSOs, and peers claim QSOs; NULL: the row is for a log
    callsign_key TEXT UNIQUE,
    before INTEGER NOT NULL,
    -- stamp and id after which the review continues
    synced_at INTEGER NOT NULL DEFAULT 0,
    qso_id INTEGER NOT NULL DEFAULT 0,
    CHECK ((member_id IS NULL) <> (callsign_key IS NULL))
) STRICT;

CREATE TRIGGER members_review_on_insert AFTER INSERT ON members
BEGIN
    INSERT OR REPLACE INTO reviews (callsign_key, before)
    SELECT NEW.callsign_key, last_stamp FROM logbook;
END;

CREATE TRIGGER members_review_on_enable AFTER UPDATE OF active ON members
WHEN OLD.active < NEW.active
BEGIN
    INSERT OR REPLACE INTO reviews (member_id, before)
    SELECT NEW.id, last_stamp FROM logbook;
END;

CREATE TRIGGER members_review_on_rename AFTER UPDATE OF callsign ON members
WHEN OLD.callsign_key <> NEW.callsign_key
BEGIN
    INSERT OR REPLACE INTO reviews (member_id, before)
    SELECT NEW.id, last_stamp FROM logbook;
    INSERT OR REPLACE INTO reviews (callsign_key, before)
    SELECT OLD.callsign_key, last_stamp FROM logbook;
    INSERT OR REPLACE INTO reviews (callsign_key, before)
    SELECT NEW.callsign_key, last_stamp FROM logbook;
END;

CREATE TRIGGER members_review_on_delete AFTER DELETE ON members
BEGIN
    INSERT OR REPLACE INTO reviews (callsign_key, before)
    SELECT OLD.callsign_key, last_stamp FROM logbook;
END;

-- Members who were deleted, so that restoring an older backup does not add them again. Rows are never removed.
CREATE TABLE deleted_members (
    -- id of the member, which is never used again
    id INTEGER PRIMARY KEY,
    -- time at which the member was added; distinguishes members of two logbooks who have the same id
    created_at INTEGER NOT NULL
) STRICT;

-- Members who may operate a station. The row of a grant that has ended is kept, and is used again if the grant is
-- renewed.
CREATE TABLE grants (
    station_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
    member_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
    granted_at INTEGER NOT NULL,
    -- time at which the grant expires; NULL: never
    until INTEGER,
    -- time at which the grant was revoked; NULL: not revoked
    revoked_at INTEGER,
    -- stamp of the last write that created or revoked the grant. A restore keeps the later decision
    set_at INTEGER NOT NULL,
    PRIMARY KEY (station_id, member_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX grants_by_member ON grants (member_id, station_id);

-- Previous callsigns of members and stations. A record that contains a previous callsign still belongs to the log.
CREATE TABLE former_callsigns (
    member_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
    callsign TEXT NOT NULL CHECK (length(callsign) BETWEEN 1 AND 20),
    PRIMARY KEY (member_id, callsign)
) STRICT, WITHOUT ROWID;

-- The keys with which members' programs use the API. A revoked key is kept, with its name, as long as the member
-- exists.
CREATE TABLE api_keys (
    -- number of the key in lists, and for revoking
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    member_id INTEGER NOT NULL REFERENCES members (id),
    -- name of the program or site that uses the key
    name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 80),
    -- rights of the key; WRITE includes READ
    scope TEXT NOT NULL CHECK (scope IN ('READ', 'WRITE')),
    -- SHA-256 of the whole key
    fingerprint BLOB NOT NULL UNIQUE CHECK (length(fingerprint) = 32),
    -- first characters of the key, for lists
    hint TEXT NOT NULL CHECK (length(hint) <= 12),
    created_at INTEGER NOT NULL,
    -- UTC day of the last use, in days since 1970-01-01; NULL: never used
    last_used_day INTEGER,
    -- time at which the key was revoked; NULL: not revoked
    revoked_at INTEGER,
    -- for a station: id of the member who created the key, which works while that member may operate the station. NULL:
    -- a command created the key, or the key is not for a station
    made_by INTEGER REFERENCES members (id),
    -- for the app: id of the session of the app's browser, which may have ended; 0: the key was created for another
    -- device. NULL: the key is for another program
    session_id INTEGER CHECK (session_id >= 0),
    -- name and version of the program that used the key, as the program states them; NULL: unknown
    last_program TEXT CHECK (length(last_program) BETWEEN 1 AND 40)
) STRICT;

CREATE INDEX api_keys_by_member ON api_keys (member_id, id);
CREATE INDEX api_keys_by_maker ON api_keys (made_by) WHERE made_by IS NOT NULL;
CREATE INDEX api_keys_by_session ON api_keys (session_id) WHERE session_id IS NOT NULL;

CREATE TRIGGER api_keys_limit_on_insert BEFORE INSERT ON api_keys
WHEN NEW.revoked_at IS NULL
    AND (SELECT count(*) FROM api_keys
         WHERE member_id = NEW.member_id AND made_by IS NEW.made_by AND revoked_at IS NULL) >= 10
BEGIN
    SELECT RAISE(ABORT, 'a member has at most 10 active keys');
END;

CREATE TRIGGER api_keys_stay_what_they_are BEFORE UPDATE ON api_keys
WHEN (OLD.revoked_at IS NOT NULL AND NEW.revoked_at IS NULL)
    OR NEW.member_id <> OLD.member_id
    OR NEW.scope <> OLD.scope
    OR NEW.fingerprint <> OLD.fingerprint
BEGIN
    SELECT RAISE(ABORT, 'a key is changed only by revoking it');
END;

-- For each key, the last request that was refused, or the last batch entry that was rejected. The profile shows the row
-- until the next refusal or rejection replaces it.
CREATE TABLE key_refusals (
    key_id INTEGER PRIMARY KEY REFERENCES api_keys (id) ON DELETE CASCADE,
    refused_at INTEGER NOT NULL,
    -- code of the error, or the code or sentence of the first rejected entry of a batch
    code TEXT NOT NULL,
    -- name of the field with the fault
    field TEXT,
    -- number of rejected entries in that batch; 1 if a whole request was refused
    entries INTEGER NOT NULL CHECK (entries >= 1)
) STRICT;

-- The tokens with which logging programs without API keys upload QSOs (through the protocols of Cloudlog and Wavelog),
-- and the tokens with which PoLo syncs.
CREATE TABLE upload_tokens (
    -- number of the token in lists, and for revoking
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    member_id INTEGER NOT NULL REFERENCES members (id),
    -- name of the program that uses the token
    name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 80),
    -- SHA-256 of the whole token
    fingerprint BLOB NOT NULL UNIQUE CHECK (length(fingerprint) = 32),
    -- first characters of the token, for lists
    hint TEXT NOT NULL CHECK (length(hint) <= 14),
    created_at INTEGER NOT NULL,
    -- UTC day of the last use, in days since 1970-01-01; NULL: never used
    last_used_day INTEGER,
    -- time at which the token was revoked; NULL: not revoked
    revoked_at INTEGER,
    -- 1: the program with this token may also read the log
    may_read INTEGER NOT NULL DEFAULT 0 CHECK (may_read IN (0, 1)),
    -- NULL: an upload token. Otherwise a token for PoLo, which gives full access to the log but cannot be used for
    -- uploads; the value is the log_epoch of the log on PoLo's phone
    polo_epoch INTEGER,
    -- as made_by in "api_keys"
    made_by INTEGER REFERENCES members (id),
    -- as last_program in "api_keys"
    last_program TEXT CHECK (length(last_program) BETWEEN 1 AND 40)
) STRICT;

CREATE INDEX upload_tokens_by_member ON upload_tokens (member_id, id);
CREATE INDEX upload_tokens_by_maker ON upload_tokens (made_by) WHERE made_by IS NOT NULL;

CREATE TRIGGER upload_tokens_limit_on_insert BEFORE INSERT ON upload_tokens
WHEN NEW.revoked_at IS NULL
    AND (SELECT count(*) FROM upload_tokens
         WHERE member_id = NEW.member_id AND made_by IS NEW.made_by AND revoked_at IS NULL) >= 10
BEGIN
    SELECT RAISE(ABORT, 'a member has at most 10 active upload tokens');
END;

CREATE TRIGGER upload_tokens_stay_what_they_are BEFORE UPDATE ON upload_tokens
WHEN (OLD.revoked_at IS NOT NULL AND NEW.revoked_at IS NULL)
    OR NEW.member_id <> OLD.member_id
    OR NEW.fingerprint <> OLD.fingerprint
    OR NEW.may_read <> OLD.may_read
    OR (NEW.polo_epoch IS NULL) <> (OLD.polo_epoch IS NULL)
BEGIN
    SELECT RAISE(ABORT, 'a token is changed only by revoking it');
END;

-- The browsers in which members are signed in.
CREATE TABLE sessions (
    -- number of the session in lists, and for signing out; never used twice
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    member_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
    -- SHA-256 of the cookie's value
    fingerprint BLOB NOT NULL UNIQUE CHECK (length(fingerprint) = 32),
    -- names of the browser and the system
    device TEXT NOT NULL CHECK (length(device) BETWEEN 1 AND 80),
    created_at INTEGER NOT NULL,
    -- UTC day of the last use, in days since 1970-01-01; the session ends 400 days later
    last_used_day INTEGER NOT NULL,
    -- time at which the member last proved their identity in this session, with the password, a passkey or an
    -- invitation; 0: never
    proved_at INTEGER NOT NULL,
    -- 1: an invitation opened the session, so the member may set a password once without entering the current password
    may_set_password INTEGER NOT NULL CHECK (may_set_password IN (0, 1)),
    -- creation time of the last challenge that a passkey answered in this session; only later challenges count. 0: no
    -- challenge was answered
    challenged_at INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX sessions_by_member ON sessions (member_id, last_used_day);
CREATE INDEX sessions_by_day ON sessions (last_used_day);

-- Links that each sign a member in once. A row is removed some time after the link has expired.
CREATE TABLE sign_in_links (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    member_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
    -- 0: an operator's invitation; 1: a link for another device, created by a signed-in member
    kind INTEGER NOT NULL CHECK (kind IN (0, 1)),
    -- SHA-256 of the link's secret
    fingerprint BLOB NOT NULL UNIQUE CHECK (length(fingerprint) = 32),
    made_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    -- time at which the link was used; NULL: not used
    used_at INTEGER,
    -- time at which another link replaced this link, or this link was revoked; NULL: neither
    replaced_at INTEGER
) STRICT;

CREATE UNIQUE INDEX sign_in_links_open ON sign_in_links (member_id, kind)
WHERE used_at IS NULL AND replaced_at IS NULL;
CREATE INDEX sign_in_links_by_member ON sign_in_links (member_id, id);
CREATE INDEX sign_in_links_by_end ON sign_in_links (expires_at);

-- Passkeys with which members sign in instead of using a password (WebAuthn). A row contains no secret. A removed
-- passkey has no row.
CREATE TABLE passkeys (
    -- number of the passkey in lists, and for removing
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    member_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
    name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 80),
    -- id of the passkey, chosen by its authenticator
    credential BLOB NOT NULL UNIQUE CHECK (length(credential) BETWEEN 1 AND 1023),
    -- public key: x and y of a point on the curve P-256
    point BLOB NOT NULL CHECK (length(point) = 64),
    -- the authenticator's count of signatures at the last use; 0: the authenticator does not count
    sign_count INTEGER NOT NULL CHECK (sign_count BETWEEN 0 AND 4294967295),
    -- creation time of the last challenge that the passkey answered; only later challenges can be answered
    challenged_at INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    -- UTC day of the last use, in days since 1970-01-01; NULL: never used
    last_used_day INTEGER,
    -- time at which a sign-in was last refused because the counter had not risen; NULL: never
    copied_at INTEGER
) STRICT;

CREATE INDEX passkeys_by_member ON passkeys (member_id, id);

CREATE TRIGGER passkeys_limit_on_insert BEFORE INSERT ON passkeys
WHEN (SELECT count(*) FROM passkeys WHERE member_id = NEW.member_id) >= 10
BEGIN
    SELECT RAISE(ABORT, 'a member has at most 10 passkeys');
END;

-- Members' QSL cards, which the stations in their confirmed QSOs can see.
CREATE TABLE cards (
    member_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
    -- 0: the design, which is JSON from the member's page; 1: the picture, which src/site/profile/picture.c has made
    -- harmless
    part INTEGER NOT NULL CHECK (part IN (0, 1)),
    -- the design or the picture; NULL: the member removed this part
    content BLOB CHECK (length(content) BETWEEN 1 AND 307200),
    -- stamp of the last write that set or removed the part
    set_at INTEGER NOT NULL,
    -- stamp of the last write that removed the part; 0: never removed. A restore omits older cards
    removed_at INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (member_id, part)
) STRICT;

CREATE INDEX cards_removed ON cards (removed_at) WHERE removed_at > 0;

-- The contacts (QSOs) of all members. schema/fields.json defines the meaning and the values of each field; the build
-- writes the API's description for clients from that file.
CREATE TABLE qsos (
    -- the service's id for the QSO, which is never used again
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    -- id of the member who owns the log
    member_id INTEGER NOT NULL REFERENCES members (id),
    -- UUID that the client chose, or that was created for an import or an upload; unique in the service. NULL only for
    -- QSOs from before synchronisation
    client_id BLOB CHECK (length(client_id) = 16),
    -- stamp of the last write or confirmation
    synced_at INTEGER NOT NULL,
    -- time at which the QSO was first saved; no later change, undo or restore alters this time
    created_at INTEGER NOT NULL,
    -- 0 ELEVEN_METERS, 1 PMR446
    band INTEGER NOT NULL CHECK (band IN (0, 1)),
    -- time of the contact, in the years 0001 to 9999
    qso_at INTEGER NOT NULL CHECK (qso_at BETWEEN -62135596800000 AND 253402300799999),
    -- frequency in kHz (only on 11 m, where channels are not stored)
    frequency INTEGER CHECK (frequency BETWEEN 26000 AND 28000),
    -- channel, which is required on PMR446 and forbidden on 11 m
    channel INTEGER CHECK (channel BETWEEN 1 AND 16),
    -- tone in Hz with one decimal (PMR446 only)
    ctcss_tone TEXT CHECK (ctcss_tone GLOB '[0-9][0-9].[0-9]' OR ctcss_tone GLOB '[0-9][0-9][0-9].[0-9]'),
    -- three octal digits, with an optional D before the digits and an optional N (normal) or I (inverted) after them
    -- (PMR446 only)
    dcs_code TEXT CHECK (length(dcs_code) BETWEEN 3 AND 5),
    -- 0 FM, 1 AM, 2 SSB (sideband unknown), 3 USB, 4 LSB, 5 CW, 6 DIGITAL
    mode INTEGER CHECK (mode BETWEEN 0 AND 6),
    callsign_worked TEXT CHECK (length(callsign_worked) BETWEEN 1 AND 20),
    -- callsign that the member used; NULL: members.callsign
    operator_callsign TEXT CHECK (length(operator_callsign) BETWEEN 1 AND 20),
    -- Maidenhead locator of the worked station
    dx_locator TEXT CHECK (length(dx_locator) IN (4, 6)),
    -- exact position of the worked station, in degrees, if known
    dx_lat REAL CHECK (dx_lat BETWEEN -90 AND 90),
    dx_lng REAL CHECK (dx_lng BETWEEN -180 AND 180),
    -- power in whole watts
    tx_power INTEGER CHECK (tx_power BETWEEN 0 AND 100000),
    -- Maidenhead locator of the member during this contact
    my_locator TEXT CHECK (length(my_locator) IN (4, 6)),
    -- transmit frequency minus receive frequency, in kHz
    split INTEGER CHECK (split BETWEEN -99999 AND 99999),
    -- 0 SP short, 1 LP long
    path INTEGER CHECK (path IN (0, 1)),
    -- the member's own status for the QSO: 0 HRD heard, 1 WKD worked, 2 CFM confirmed (by a card, for example)
    qso_status INTEGER CHECK (qso_status BETWEEN 0 AND 2),
    -- signal reports
    rst_sent TEXT CHECK (length(rst_sent) BETWEEN 1 AND 10),
    rst_received TEXT CHECK (length(rst_received) BETWEEN 1 AND 10),
    -- qsl_sent, 1: a QSL card was sent; qsl_received, 1: a QSL card was received
    qsl_sent INTEGER NOT NULL DEFAULT 0 CHECK (qsl_sent IN (0, 1)),
    qsl_received INTEGER NOT NULL DEFAULT 0 CHECK (qsl_received IN (0, 1)),
    -- 0 DIRECT, 1 BUREAU, 2 EQSL, 3 ECARD
    qsl_via INTEGER CHECK (qsl_via BETWEEN 0 AND 3),
    notes TEXT CHECK (length(notes) BETWEEN 1 AND 2000),
    radio TEXT CHECK (length(radio) BETWEEN 1 AND 80),
    antenna TEXT CHECK (length(antenna) BETWEEN 1 AND 80),
    -- time at which the QSO was published as a spot; set only once, and kept if the spot is removed
    spotted_at INTEGER,
    -- the other member's QSO for this contact, whose confirmed_by is this QSO. Both logs must agree (src/qso/match.h
    -- has the conditions). A write that ends the agreement, or a deletion, clears both columns
    confirmed_by INTEGER REFERENCES qsos (id) DEFERRABLE INITIALLY DEFERRED,
    -- time at which the two QSOs were paired
    paired_at INTEGER,
    -- This column, the next two columns, worked_key and operator_key find the other member's QSO
    -- (src/store/confirm/partners.c, through the index qsos_by_contact). The value is the number of the two-hour slot
    -- since 1970; neighbouring slots are searched as well
    slot INTEGER GENERATED ALWAYS AS (
        (qso_at + 62135596800000) / 7200000 - 8629944) VIRTUAL,
    -- milliseconds since the slot began
    slot_ms INTEGER GENERATED ALWAYS AS (
        (qso_at + 62135596800000) % 7200000) VIRTUAL,
    -- channel (11 m: 0) times 8, plus the family of modes (SSB, USB and LSB are one family); -1: another member's QSO
    -- already confirms the QSO; NULL: the QSO cannot be confirmed
    contact_kind INTEGER GENERATED ALWAYS AS (
        CASE WHEN confirmed_by IS NOT NULL THEN -1
            WHEN callsign_worked IS NULL OR qso_status IS 0 THEN NULL
            ELSE ifnull(channel, 0) * 8
                + CASE WHEN mode IS NULL THEN 0 WHEN mode IN (3, 4) THEN 3 ELSE mode + 1 END
        END) VIRTUAL,
    -- number of the edit that wrote the current content (see "acts"); 0: the content is older than the history
    edit INTEGER NOT NULL DEFAULT 0,
    -- start of the confirmation, for a QSO that a peer's claim confirms or once confirmed. Kept while any confirmation
    -- holds. Also kept if the claim's station has become our member, until the QSO changes. NULL: paired_at is the
    -- start
    claimed_at INTEGER,
    -- id of the peer's claim that confirms the QSO (see "claims"); NULL: none
    claim_id INTEGER,
    -- start of the confirmation by our member or by a peer's member
    cross_confirmed_at INTEGER GENERATED ALWAYS AS (
        CASE WHEN confirmed_by IS NOT NULL OR claim_id IS NOT NULL THEN ifnull(claimed_at, paired_at) END) VIRTUAL,
    -- id of the upload token that wrote the whole content; NULL: another writer has written at least part of the
    -- content
    token_id INTEGER,
    -- callsign_worked and operator_callsign in their form for comparisons, if they contain letters beyond ASCII, which
    -- SQLite cannot convert; otherwise NULL
    worked_unicode TEXT,
    operator_unicode TEXT,
    -- callsign_worked in its form for comparisons
    worked_key TEXT GENERATED ALWAYS AS (
        CASE WHEN worked_unicode IS NOT NULL THEN worked_unicode
            WHEN callsign_worked GLOB '*[- .a-z]*'
                THEN replace(replace(replace(upper(callsign_worked), ' ', ''), '-', ''), '.', '')
            ELSE callsign_worked END) VIRTUAL,
    -- operator_callsign in its form for comparisons; NULL: the member's own callsign applies
    operator_key TEXT GENERATED ALWAYS AS (
        CASE WHEN operator_unicode IS NOT NULL THEN operator_unicode
            WHEN operator_callsign GLOB '*[- .a-z]*'
                THEN replace(replace(replace(upper(operator_callsign), ' ', ''), '-', ''), '.', '')
            ELSE operator_callsign END) VIRTUAL,
    CHECK ((band = 0 AND channel IS NULL AND ctcss_tone IS NULL AND dcs_code IS NULL)
        OR (band = 1 AND channel IS NOT NULL AND frequency IS NULL)),
    CHECK ((confirmed_by IS NULL) = (paired_at IS NULL)),
    CHECK (confirmed_by IS NULL OR confirmed_by <> id)
) STRICT;

CREATE UNIQUE INDEX qsos_by_client_id ON qsos (client_id) WHERE client_id IS NOT NULL;
-- Finds a client's next page, with the columns for a list of ids.
CREATE INDEX qsos_by_change ON qsos (member_id, synced_at, id, client_id);
CREATE UNIQUE INDEX qsos_by_confirmed_by ON qsos (confirmed_by) WHERE confirmed_by IS NOT NULL;
-- Finds the cards for the gallery.
CREATE INDEX qsos_by_confirmation ON qsos (member_id, cross_confirmed_at, id) WHERE confirmed_by IS NOT NULL;
CREATE INDEX qsos_by_contact
ON qsos (member_id, slot, worked_key, operator_key, contact_kind, slot_ms);
-- Finds the QSOs that members logged under a callsign other than their own, by worked station.
CREATE INDEX qsos_by_operator ON qsos (worked_key, slot, operator_key, member_id)
WHERE operator_callsign IS NOT NULL AND contact_kind >= 0;

-- Finds QSOs by their operator's callsign when the callsign begins or ceases to belong to a member.
CREATE INDEX qsos_under_callsign ON qsos (operator_key)
WHERE operator_callsign IS NOT NULL AND contact_kind >= 0;

-- The member who created a station's QSO. The row of a deleted QSO is kept, because the QSO can be restored; the row is
-- removed with the log.
CREATE TABLE made_by (
    member_id INTEGER NOT NULL,
    qso_id INTEGER NOT NULL,
    -- the operator's callsign when the QSO was created
    operator TEXT NOT NULL CHECK (length(operator) BETWEEN 1 AND 20),
    PRIMARY KEY (member_id, qso_id)
) STRICT, WITHOUT ROWID;

-- The content of a station's public page, updated by each write to the station's QSOs. Members who are not stations
-- have no rows.
CREATE TABLE page_counts (
    member_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
    -- 0 all QSOs (a row of this kind means that the log has been counted), 1 a division, 2 a square
    kind INTEGER NOT NULL CHECK (kind BETWEEN 0 AND 2),
    -- number of the division (src/qso/divisions.h) or of the square (place_find_square in src/qso/place.h); 0 for all
    -- QSOs
    value INTEGER NOT NULL,
    qsos INTEGER NOT NULL CHECK (qsos >= 0),
    PRIMARY KEY (member_id, kind, value)
) STRICT, WITHOUT ROWID;

-- The callsigns that a station has worked, for its public page.
CREATE TABLE page_worked (
    member_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
    worked_key TEXT NOT NULL,
    qso_id INTEGER NOT NULL,
    PRIMARY KEY (member_id, worked_key, qso_id)
) STRICT, WITHOUT ROWID;

-- The divisions and squares for which each QSO counts. A row can contain the number of a division that does not exist;
-- such a row is not shown.
CREATE VIEW page_parts AS
SELECT id AS qso_id, member_id, 0 AS kind, 0 AS value FROM qsos
UNION ALL
SELECT id, member_id, 1, CAST(worked_key AS INTEGER)
FROM qsos
WHERE length(worked_key) - length(ltrim(worked_key, '0123456789')) BETWEEN 1 AND 3
    AND (ltrim(worked_key, '0123456789') GLOB '[A-Z]*' OR ltrim(worked_key, '0123456789') GLOB '/*[A-Z]*')
UNION ALL
SELECT id, member_id, 2, CASE WHEN dx_locator IS NOT NULL
    THEN (unicode(dx_locator) - 65) * 1800 + (unicode(substr(dx_locator, 2)) - 65) * 100
        + CAST(substr(dx_locator, 3, 2) AS INTEGER)
    ELSE min(CAST((dx_lng + 180) / 360 * 4320 AS INTEGER), 4319) / 240 * 1800
        + min(CAST((dx_lat + 90) / 180 * 4320 AS INTEGER), 4319) / 240 * 100
        + min(CAST((dx_lng + 180) / 360 * 4320 AS INTEGER), 4319) / 24 % 10 * 10
        + min(CAST((dx_lat + 90) / 180 * 4320 AS INTEGER), 4319) / 24 % 10 END
FROM qsos
WHERE dx_locator IS NOT NULL OR (dx_lat IS NOT NULL AND dx_lng IS NOT NULL AND (dx_lat <> 0 OR dx_lng <> 0));

-- Deleted QSOs, so that clients learn about the deletion. A row is removed after two years (QSOSYNC_TOMBSTONE_DAYS), or
-- when the member uses its UUID again. ("gone" is for the history, and for QSOs that the history can restore.)
CREATE TABLE tombstones (
    -- id of the deleted QSO
    id INTEGER PRIMARY KEY,
    member_id INTEGER NOT NULL REFERENCES members (id),
    -- stamp of the deletion
    deleted_at INTEGER NOT NULL,
    client_id BLOB CHECK (length(client_id) = 16)
) STRICT;

CREATE INDEX tombstones_by_change ON tombstones (member_id, deleted_at, id);
CREATE INDEX tombstones_by_client_id ON tombstones (client_id) WHERE client_id IS NOT NULL;
CREATE INDEX tombstones_by_age ON tombstones (deleted_at);

-- ADIF fields that were imported with a QSO and have no column in "qsos". An export contains these fields again.
CREATE TABLE leftovers (
    member_id INTEGER NOT NULL,
    qso_id INTEGER NOT NULL,
    -- first edit whose content has these fields; the edit in the QSO's next row is the first without them. A row is
    -- kept as long as its content can be restored
    edit INTEGER NOT NULL,
    -- extra fields in the format of src/adif/leftovers.c; empty: from this edit on, the content has no extra fields
    fields BLOB NOT NULL CHECK (length(fields) <= 4000),
    PRIMARY KEY (member_id, qso_id, edit)
) STRICT, WITHOUT ROWID;

-- Records from programs without clientIds: the QSO that each record became, and the record's values
-- (src/transfer/matching.c). A record is identified by its time and its mark, a hash of all other values that identify
-- a contact. The row of a deleted QSO is kept, and is valid again if the QSO is restored.
CREATE TABLE known_records (
    member_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
    -- time of the contact, from the record
    at INTEGER NOT NULL,
    mark INTEGER NOT NULL,
    -- origin of the record: "import" with the program's name, or "token", "key" or "phone" with a number
    source TEXT NOT NULL CHECK (length(source) BETWEEN 1 AND 32),
    qso_id INTEGER NOT NULL,
    -- time at which the contact ended, if the contact lasted more than two minutes
    until INTEGER CHECK (until > at),
    -- four bytes for each value in the source's last version of the record: a digest of the field and its value
    said BLOB NOT NULL CHECK (length(said) <= 400),
    PRIMARY KEY (member_id, at, mark, source)
) STRICT, WITHOUT ROWID;

CREATE INDEX known_records_by_qso ON known_records (member_id, qso_id);
-- Shows whether a log has long contacts: only then does the search include QSOs that began long before a record.
CREATE INDEX known_records_long ON known_records (member_id) WHERE until IS NOT NULL;

-- Ids that other programs have assigned to QSOs. A QSO has several ids from the same program only after a merge, or if
-- the program has changed its id.
CREATE TABLE program_ids (
    member_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
    -- name of the program, in upper case. "QSOSYNC": the id is the clientId of a QSO that was merged into this QSO.
    -- "APART" with a stamp: the member has declared that this QSO and another QSO are two contacts
    program TEXT NOT NULL CHECK (length(program) BETWEEN 1 AND 32),
    id TEXT NOT NULL CHECK (length(id) BETWEEN 1 AND 64),
    qso_id INTEGER NOT NULL,
    PRIMARY KEY (member_id, program, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX program_ids_by_qso ON program_ids (member_id, qso_id, program);

-- Records that Ham2K PoLo sent, unchanged, because PoLo receives whole records. If a QSO in the log, a tombstone and a
-- row without "edit" share a UUID, PoLo receives the item with the latest stamp.
CREATE TABLE polo_records (
    member_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
    -- 0 an operation, 1 a QSO, 2 the settings
    kind INTEGER NOT NULL CHECK (kind BETWEEN 0 AND 2),
    -- PoLo's UUID for the record; for a QSO, qsos.client_id
    uuid BLOB NOT NULL CHECK (length(uuid) = 16),
    -- phone that sent the record and does not receive it again; empty: every phone receives the record
    phone TEXT NOT NULL,
    -- time of the change according to the phone's clock
    updated_at INTEGER NOT NULL,
    -- stamp of the last write to this row
    synced_at INTEGER NOT NULL,
    -- qsos.edit of the content that a QSO's record became in the log; -1: the phone deleted the QSO; -2: the QSO in the
    -- log has more data than the record. NULL: only PoLo has the record
    edit INTEGER,
    -- reason, as text for the member, why a QSO is not in the log, or why a body that the phone sent is not stored.
    -- NULL: neither applies, or the QSO was deleted or is a note in PoLo
    reason TEXT,
    -- length of the body, or the number of bytes counted for a record whose body is not stored
    bytes INTEGER NOT NULL,
    -- JSON; empty: the body is not stored
    body TEXT NOT NULL,
    -- for a QSO that was in the log before PoLo sent it: PoLo's UUID for the QSO. NULL: PoLo uses the clientId
    alias BLOB CHECK (length(alias) = 16),
    PRIMARY KEY (member_id, kind, uuid)
) STRICT;

CREATE INDEX polo_records_by_change ON polo_records (member_id, kind, synced_at, uuid, phone, bytes)
WHERE edit IS NULL;
CREATE UNIQUE INDEX polo_records_by_alias ON polo_records (member_id, alias) WHERE alias IS NOT NULL;
CREATE INDEX polo_records_by_reason ON polo_records (member_id, reason) WHERE reason IS NOT NULL;

-- QSOs as they were published on the DX cluster: a later change to a QSO does not change its spot. The cluster feed
-- reads this table in the order of id.
CREATE TABLE spots (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    qso_id INTEGER NOT NULL UNIQUE REFERENCES qsos (id) ON DELETE CASCADE,
    spotted_at INTEGER NOT NULL,
    -- station callsign of the member who published the spot
    spotter TEXT NOT NULL,
    dx_callsign TEXT,
    band INTEGER NOT NULL,
    -- frequency in Hz; on PMR446, the channel's frequency
    frequency INTEGER,
    channel INTEGER,
    ctcss_tone TEXT,
    dcs_code TEXT,
    mode INTEGER,
    my_locator TEXT,
    dx_locator TEXT,
    -- both callsigns in their form for comparisons, if they contain letters beyond ASCII; otherwise NULL
    dx_unicode TEXT,
    spotter_unicode TEXT,
    -- both callsigns in their form for comparisons, separated by a bar
    callsigns TEXT GENERATED ALWAYS AS (
        ifnull(dx_unicode, replace(replace(replace(upper(ifnull(dx_callsign, '')), ' ', ''), '-', ''), '.', ''))
            || '|' || ifnull(spotter_unicode, replace(replace(replace(upper(spotter), ' ', ''), '-', ''), '.', ''))) VIRTUAL,
    -- callsign of the spotter in its form for comparisons
    spotter_key TEXT GENERATED ALWAYS AS (
        ifnull(spotter_unicode, replace(replace(replace(upper(spotter), ' ', ''), '-', ''), '.', ''))) VIRTUAL
) STRICT;

CREATE INDEX spots_by_spotter ON spots (spotter_key, id);
-- Contains the columns that filters use, in the order in which spots are shown.
CREATE INDEX spots_to_filter ON spots (id, spotted_at, band, mode, frequency, callsigns);

-- Times of the spots in the last minute, including deleted spots, because a member may publish at most 20 spots per
-- minute. The next spot removes older rows.
CREATE TABLE spot_times (
    member_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
    spotted_at INTEGER NOT NULL
) STRICT;

CREATE INDEX spot_times_by_member ON spot_times (member_id, spotted_at);

-- QSOs that were spotted, were deleted with their spot, and were restored by an undo, so that these QSOs are not
-- spotted again.
CREATE TABLE ended_spots (
    qso_id INTEGER PRIMARY KEY REFERENCES qsos (id) ON DELETE CASCADE
) STRICT;

-- Spots from other DX clusters, only for the spots page. Only the newest 1,000 spots of the last 24 hours are kept.
CREATE TABLE network_spots (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    -- address of the cluster
    source TEXT NOT NULL,
    spotter TEXT NOT NULL,
    callsign TEXT NOT NULL,
    -- frequency in Hz
    frequency INTEGER NOT NULL,
    comment TEXT NOT NULL,
    spotted_at INTEGER NOT NULL
) STRICT;

CREATE INDEX network_spots_by_callsign ON network_spots (callsign, frequency, spotted_at);
CREATE INDEX network_spots_by_time ON network_spots (spotted_at, id);

-- Members whose spots may be announced on other DX clusters.
CREATE TABLE announcers (
    member_id INTEGER PRIMARY KEY REFERENCES members (id) ON DELETE CASCADE,
    -- time at which the member agreed
    since INTEGER NOT NULL
) STRICT;

-- One row: what "qsosync-admin alerts send" has done, and the service's key pair for Web Push.
CREATE TABLE alert_state (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    -- the last spots that were examined
    spot_id INTEGER NOT NULL DEFAULT 0,
    network_spot_id INTEGER NOT NULL DEFAULT 0,
    -- time of the last run; 0: never
    ran_at INTEGER NOT NULL DEFAULT 0,
    -- private key and public point on the curve P-256 (RFC 8292); NULL: not needed so far
    push_key BLOB CHECK (length(push_key) = 32),
    push_point BLOB CHECK (length(push_point) = 64),
    CHECK ((push_key IS NULL) = (push_point IS NULL))
) STRICT;

INSERT INTO alert_state (id) VALUES (1);

-- Settings for all alerts of a member. A member without a row has the defaults.
CREATE TABLE alert_settings (
    member_id INTEGER PRIMARY KEY REFERENCES members (id) ON DELETE CASCADE,
    -- name of the member's time zone; NULL: UTC
    zone TEXT CHECK (length(zone) BETWEEN 1 AND 40),
    -- the zone's offsets from UTC, in the format of src/store/alerts/alert_hours.c
    offsets TEXT CHECK (length(offsets) BETWEEN 1 AND 800),
    -- quiet hours, in minutes of the member's day; may pass midnight
    quiet_from INTEGER CHECK (quiet_from BETWEEN 0 AND 1439),
    quiet_to INTEGER CHECK (quiet_to BETWEEN 0 AND 1439),
    -- maximum number of alerts per hour
    hourly INTEGER NOT NULL CHECK (hourly BETWEEN 1 AND 60),
    -- time until which nothing is sent
    muted_until INTEGER NOT NULL DEFAULT 0,
    CHECK ((quiet_from IS NULL) = (quiet_to IS NULL))
) STRICT;

-- Members' rules: each asks for an alert when a station is spotted.
CREATE TABLE alert_rules (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    member_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
    -- text in the member's words, which is part of the alert
    name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 80),
    -- 0 the callsigns in "callsigns", 1 a member here, 2 a division, 3 a square, 4 a special station that the log lacks
    subject INTEGER NOT NULL CHECK (subject BETWEEN 0 AND 4),
    -- callsigns separated by spaces; one with a final * is a prefix
    callsigns TEXT CHECK (length(callsigns) BETWEEN 1 AND 400),
    -- for subjects 2 to 4, where the log lacks it: 0 everywhere, 1 on the spot's band, 2 in the spot's mode on its band
    need INTEGER NOT NULL CHECK (need BETWEEN 0 AND 2),
    -- 0 all spots, 1 spots by members here, 2 spots by the network
    source INTEGER NOT NULL CHECK (source BETWEEN 0 AND 2),
    -- band, mode and hours of the member's day; NULL: any
    band INTEGER CHECK (band IN (0, 1)),
    mode INTEGER CHECK (mode BETWEEN 0 AND 6),
    from_minute INTEGER CHECK (from_minute BETWEEN 0 AND 1439),
    to_minute INTEGER CHECK (to_minute BETWEEN 0 AND 1439),
    -- the member's days of the week: bit 0 Monday to bit 6 Sunday
    days INTEGER NOT NULL CHECK (days BETWEEN 1 AND 127),
    -- minutes between two alerts about one station
    pause INTEGER NOT NULL CHECK (pause BETWEEN 1 AND 1440),
    is_on INTEGER NOT NULL CHECK (is_on IN (0, 1)),
    CHECK ((subject = 0) = (callsigns IS NOT NULL)),
    CHECK ((from_minute IS NULL) = (to_minute IS NULL))
) STRICT;

CREATE INDEX alert_rules_by_member ON alert_rules (member_id, id);
CREATE INDEX alert_rules_by_subject ON alert_rules (subject, band) WHERE is_on = 1;

-- The callsigns and prefixes (with a final *) in the rules that are on, in their form for comparisons: the index
-- by which the rules for a spot are found.
CREATE TABLE alert_names (
    name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 21),
    rule_id INTEGER NOT NULL REFERENCES alert_rules (id) ON DELETE CASCADE,
    PRIMARY KEY (name, rule_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX alert_names_by_rule ON alert_names (rule_id);

-- Stations about which a member wants no alert.
CREATE TABLE alert_mutes (
    member_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
    callsign_key TEXT NOT NULL CHECK (length(callsign_key) BETWEEN 1 AND 20),
    callsign TEXT NOT NULL CHECK (length(callsign) BETWEEN 1 AND 20),
    PRIMARY KEY (member_id, callsign_key)
) STRICT, WITHOUT ROWID;

-- The ways by which alerts reach a member.
CREATE TABLE alert_ways (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    member_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
    -- 0 a browser's push service, 1 a web address
    kind INTEGER NOT NULL CHECK (kind IN (0, 1)),
    name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 80),
    address TEXT NOT NULL CHECK (length(address) BETWEEN 1 AND 1000),
    -- the browser's public key and secret (RFC 8291), and the session of the browser
    point BLOB CHECK (length(point) = 65),
    secret BLOB CHECK (length(secret) = 16),
    session_id INTEGER REFERENCES sessions (id) ON DELETE CASCADE,
    -- for a web address: 1 PUT instead of POST
    is_put INTEGER NOT NULL DEFAULT 0 CHECK (is_put IN (0, 1)),
    -- format of the body, in which values are escaped: 0 text, 1 JSON, 2 form
    format INTEGER NOT NULL DEFAULT 0 CHECK (format BETWEEN 0 AND 2),
    -- headers, one per line, and the body, both with {values}
    headers TEXT CHECK (length(headers) BETWEEN 1 AND 1000),
    body TEXT CHECK (length(body) BETWEEN 1 AND 1500),
    is_on INTEGER NOT NULL DEFAULT 1 CHECK (is_on IN (0, 1)),
    created_at INTEGER NOT NULL,
    -- times of the last success and of the last failure, and its status or libcurl's negative error number
    sent_at INTEGER,
    failed_at INTEGER,
    failure INTEGER,
    -- 1: the address no longer exists (404 or 410), so nothing is sent until the member tries it again
    has_ended INTEGER NOT NULL DEFAULT 0 CHECK (has_ended IN (0, 1)),
    CHECK ((kind = 0) = (point IS NOT NULL)),
    CHECK ((kind = 0) = (secret IS NOT NULL)),
    CHECK (kind = 0 OR session_id IS NULL),
    CHECK ((kind = 1) = (body IS NOT NULL))
) STRICT;

CREATE INDEX alert_ways_by_member ON alert_ways (member_id, id);
CREATE INDEX alert_ways_by_session ON alert_ways (session_id) WHERE session_id IS NOT NULL;
CREATE UNIQUE INDEX alert_ways_by_address ON alert_ways (address) WHERE kind = 0;

-- Alerts of the last days, for the member's list and for the limits.
CREATE TABLE alerts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    member_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
    at INTEGER NOT NULL,
    -- name of the rule; NULL: the member tried a way
    rule TEXT CHECK (length(rule) BETWEEN 1 AND 80),
    dx_callsign TEXT NOT NULL,
    dx_key TEXT NOT NULL,
    spotter TEXT NOT NULL,
    band INTEGER NOT NULL,
    frequency INTEGER,
    channel INTEGER,
    mode INTEGER,
    -- reason why the alert was not sent: 1 the hour's limit, 2 quiet hours, 3 all muted
    held INTEGER CHECK (held BETWEEN 1 AND 3)
) STRICT;

CREATE INDEX alerts_by_member ON alerts (member_id, at, held);
CREATE INDEX alerts_by_station ON alerts (member_id, dx_key, at);
CREATE INDEX alerts_by_age ON alerts (at);

-- One row for each alert and each way by which it is sent.
CREATE TABLE alert_deliveries (
    alert_id INTEGER NOT NULL REFERENCES alerts (id) ON DELETE CASCADE,
    way_id INTEGER NOT NULL REFERENCES alert_ways (id) ON DELETE CASCADE,
    -- 0 to be sent; 1 begun, and never begun again, so that nothing is sent twice; 2 sent; 3 failed
    state INTEGER NOT NULL CHECK (state BETWEEN 0 AND 3),
    due_at INTEGER NOT NULL,
    -- number of attempts that the address refused for the time being
    tries INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (alert_id, way_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX alert_deliveries_due ON alert_deliveries (due_at) WHERE state = 0;
CREATE INDEX alert_deliveries_by_way ON alert_deliveries (way_id);

-- The writers of a log, and the content that each write replaced, for 180 days (QSOSYNC_HISTORY_DAYS), so that writes
-- can be undone.
--
-- An edit is a number that counts the writes to one log; qsos.edit is the edit that wrote a QSO's current content. An
-- act is a run of edits by one writer: acts.number to acts.last. An act ends after ten minutes without a write, or when
-- another writer begins. "former".edit shows to which act a previous state belongs.
CREATE TABLE acts (
    member_id INTEGER NOT NULL REFERENCES members (id),
    -- number of the act's first edit
    number INTEGER NOT NULL,
    -- number of the act's last edit
    last INTEGER NOT NULL CHECK (last >= number),
    -- 1, 2, 3 and so on for each member, without gaps (edit numbers have gaps)
    ordinal INTEGER NOT NULL,
    -- 0 the operator, 1 an API key, 2 an upload token, 3 a session
    writer INTEGER NOT NULL CHECK (writer BETWEEN 0 AND 3),
    -- id of the key, token or session; 0: the operator
    writer_number INTEGER NOT NULL,
    -- copy of sessions.device, because a session's row is removed when the session ends
    label TEXT,
    -- 0 synchronisation, 1 an import, 2 an undo, 3 a restore, 4 a merge of two QSOs
    work INTEGER NOT NULL CHECK (work BETWEEN 0 AND 4),
    -- name of the imported file; for an undo, name of the writer whose writes were undone
    subject TEXT CHECK (length(subject) BETWEEN 1 AND 200),
    -- number of the act that this undo has undone, if it has undone only one act
    takes_back INTEGER,
    -- stamps of the act's first and last write
    began_at INTEGER NOT NULL,
    ended_at INTEGER NOT NULL,
    -- counts of QSOs that were created, changed, deleted, and restored
    created INTEGER NOT NULL DEFAULT 0,
    changed INTEGER NOT NULL DEFAULT 0,
    deleted INTEGER NOT NULL DEFAULT 0,
    revived INTEGER NOT NULL DEFAULT 0,
    -- range of qsos.id that includes all QSOs that the act created, and that can include other QSOs; NULL: the act
    -- created no QSO
    first_created INTEGER,
    last_created INTEGER,
    -- number of rows in "former" from this act, and from all earlier acts of the member; their sum is the size of the
    -- history
    states INTEGER NOT NULL DEFAULT 0,
    states_before INTEGER NOT NULL,
    -- 1: the act is too old to be undone, and its rows are being removed
    pruned INTEGER NOT NULL DEFAULT 0 CHECK (pruned IN (0, 1)),
    -- for a station: the writer's callsign at the time of the act
    operator TEXT CHECK (length(operator) BETWEEN 1 AND 20),
    PRIMARY KEY (member_id, number)
) STRICT, WITHOUT ROWID;

CREATE INDEX acts_by_age ON acts (began_at);

-- The state of a QSO that an edit replaced or deleted.
CREATE TABLE former (
    member_id INTEGER NOT NULL,
    edit INTEGER NOT NULL,
    qso_id INTEGER NOT NULL,
    -- milliseconds since the act began
    at INTEGER NOT NULL,
    -- number of the edit that wrote the replaced content; 0: the content is from before the history, or did not exist
    previous_edit INTEGER NOT NULL,
    -- for an edit by an undo: number of the edit whose content was restored (0: from before the history, or no
    -- content); NULL: the edit is not by an undo
    restored_edit INTEGER,
    -- replaced content, in the format of src/store/state.c; NULL: the QSO did not exist before the edit
    state BLOB,
    PRIMARY KEY (member_id, edit, qso_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX former_of_undo ON former (member_id, qso_id, edit, previous_edit) WHERE restored_edit IS NOT NULL;

-- QSOs that are not in the log, but that the history can restore. A row is removed when the QSO is restored, or with
-- the last row of the QSO's history. The QSO's tombstone is for clients, and is removed according to its own age.
CREATE TABLE gone (
    member_id INTEGER NOT NULL,
    qso_id INTEGER NOT NULL,
    -- number of the edit that deleted the QSO; undoing this edit restores the QSO. 0: the QSO's creation was undone
    edit INTEGER NOT NULL,
    -- number of the edit that last removed the QSO, and whose row in "former" has the QSO's content
    removed_by INTEGER NOT NULL,
    client_id BLOB CHECK (length(client_id) = 16),
    PRIMARY KEY (member_id, qso_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX gone_by_removal ON gone (member_id, removed_by, qso_id);
CREATE INDEX gone_by_client_id ON gone (client_id) WHERE client_id IS NOT NULL;

-- The bytes that are stored for each member in addition to their QSOs. One limit applies to the sum of these bytes
-- (QSOSYNC_MEMBER_MIB). Triggers update the counters by the size of each row's content, plus a fixed amount for the row
-- itself.
CREATE TABLE storage (
    member_id INTEGER PRIMARY KEY REFERENCES members (id) ON DELETE CASCADE,
    -- bytes in the rows of "acts" and "former"
    history INTEGER NOT NULL DEFAULT 0,
    -- bytes in the rows of "leftovers"
    leftovers INTEGER NOT NULL DEFAULT 0,
    -- bytes in the rows of "polo_records"; the row of a QSO without a body counts as part of the QSO
    polo INTEGER NOT NULL DEFAULT 0,
    -- bytes in the designs and pictures in "cards"
    cards INTEGER NOT NULL DEFAULT 0,
    -- bytes in the rows of "known_records" and "program_ids"
    known INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TRIGGER storage_begin AFTER INSERT ON members
BEGIN
    INSERT INTO storage (member_id) VALUES (NEW.id);
END;

CREATE TRIGGER storage_of_acts_insert AFTER INSERT ON acts
BEGIN
    UPDATE storage SET history = history + 150 WHERE member_id = NEW.member_id;
END;

CREATE TRIGGER storage_of_acts_delete AFTER DELETE ON acts
BEGIN
    UPDATE storage SET history = history - 150 WHERE member_id = OLD.member_id;
END;

CREATE TRIGGER storage_of_former_insert AFTER INSERT ON former
BEGIN
    UPDATE storage SET history = history + (40 + ifnull(length(NEW.state), 0)) WHERE member_id = NEW.member_id;
END;

CREATE TRIGGER storage_of_former_delete AFTER DELETE ON former
BEGIN
    UPDATE storage SET history = history - (40 + ifnull(length(OLD.state), 0)) WHERE member_id = OLD.member_id;
END;

CREATE TRIGGER storage_of_leftovers_insert AFTER INSERT ON leftovers
BEGIN
    UPDATE storage SET leftovers = leftovers + (30 + length(NEW.fields)) WHERE member_id = NEW.member_id;
END;

CREATE TRIGGER storage_of_leftovers_delete AFTER DELETE ON leftovers
BEGIN
    UPDATE storage SET leftovers = leftovers - (30 + length(OLD.fields)) WHERE member_id = OLD.member_id;
END;

CREATE TRIGGER storage_of_leftovers_update AFTER UPDATE OF fields ON leftovers
BEGIN
    UPDATE storage SET leftovers = leftovers + (30 + length(NEW.fields))
        - (30 + length(OLD.fields))
    WHERE member_id = NEW.member_id;
END;

CREATE TRIGGER storage_of_polo_records_insert AFTER INSERT ON polo_records
BEGIN
    UPDATE storage SET polo = polo + iif(NEW.edit IS NOT NULL AND NEW.body = '', 0, 100 + NEW.bytes)
    WHERE member_id = NEW.member_id;
END;

CREATE TRIGGER storage_of_polo_records_delete AFTER DELETE ON polo_records
BEGIN
    UPDATE storage SET polo = polo - iif(OLD.edit IS NOT NULL AND OLD.body = '', 0, 100 + OLD.bytes)
    WHERE member_id = OLD.member_id;
END;

CREATE TRIGGER storage_of_polo_records_update AFTER UPDATE OF edit, bytes, body ON polo_records
BEGIN
    UPDATE storage SET polo = polo + iif(NEW.edit IS NOT NULL AND NEW.body = '', 0, 100 + NEW.bytes)
        - iif(OLD.edit IS NOT NULL AND OLD.body = '', 0, 100 + OLD.bytes)
    WHERE member_id = NEW.member_id;
END;

CREATE TRIGGER storage_of_cards_insert AFTER INSERT ON cards
BEGIN
    UPDATE storage SET cards = cards + ifnull(40 + length(NEW.content), 0) WHERE member_id = NEW.member_id;
END;

CREATE TRIGGER storage_of_cards_delete AFTER DELETE ON cards
BEGIN
    UPDATE storage SET cards = cards - ifnull(40 + length(OLD.content), 0) WHERE member_id = OLD.member_id;
END;

CREATE TRIGGER storage_of_cards_update AFTER UPDATE OF content ON cards
BEGIN
    UPDATE storage SET cards = cards + ifnull(40 + length(NEW.content), 0)
        - ifnull(40 + length(OLD.content), 0)
    WHERE member_id = NEW.member_id;
END;

CREATE TRIGGER storage_of_known_records_insert AFTER INSERT ON known_records
BEGIN
    UPDATE storage SET known = known + (100 + length(NEW.said)) WHERE member_id = NEW.member_id;
END;

CREATE TRIGGER storage_of_known_records_delete AFTER DELETE ON known_records
BEGIN
    UPDATE storage SET known = known - (100 + length(OLD.said)) WHERE member_id = OLD.member_id;
END;

CREATE TRIGGER storage_of_known_records_update AFTER UPDATE OF said ON known_records
BEGIN
    UPDATE storage SET known = known + (length(NEW.said) - length(OLD.said)) WHERE member_id = NEW.member_id;
END;

CREATE TRIGGER storage_of_program_ids_insert AFTER INSERT ON program_ids
BEGIN
    UPDATE storage SET known = known + (60 + length(NEW.id)) WHERE member_id = NEW.member_id;
END;

CREATE TRIGGER storage_of_program_ids_delete AFTER DELETE ON program_ids
BEGIN
    UPDATE storage SET known = known - (60 + length(OLD.id)) WHERE member_id = OLD.member_id;
END;

-- Other clubs' services. We request each service's claims, which are its members' QSOs with our members
-- (src/store/club/claims_fetch.c), and each service requests our claims (src/store/club/claims_serve.c). The row of a
-- removed peer is kept, without keys, so that restoring a backup does not add the peer again.
CREATE TABLE peers (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    -- address without its scheme, which is the peer's name in commands
    name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 500),
    -- address without a final slash
    address TEXT NOT NULL CHECK (length(address) BETWEEN 1 AND 500),
    -- name that the club uses for itself; NULL: none
    club TEXT CHECK (length(club) BETWEEN 1 AND 80),
    added_at INTEGER NOT NULL,
    -- time from which both sides had their keys; NULL: a code was entered, and the peer has not answered yet
    paired_at INTEGER,
    removed_at INTEGER,
    -- SHA-256 of the code that paired the two services
    code BLOB NOT NULL CHECK (length(code) = 32),
    -- SHA-256 of the key that the peer sends
    fingerprint BLOB CHECK (length(fingerprint) = 32),
    -- key that we send to the peer
    ask_key TEXT,
    -- key for the peer, kept until pairing is complete, in case the code must be entered again
    given_key TEXT,
    -- epoch: the peer's epoch at the last page (NULL: nothing has been pulled so far). cursor: the place at which the
    -- current pull continues (NULL: its beginning)
    epoch TEXT,
    cursor TEXT,
    -- number of the round, incremented when all claims are pulled again. Claims that are not repeated in a round are
    -- removed at its end
    round INTEGER NOT NULL DEFAULT 1,
    -- number of the visit; a visit requests the claims about each member once
    visit INTEGER NOT NULL DEFAULT 1,
    -- time of the last visit, and time at which a visit last received all answers
    asked_at INTEGER,
    answered_at INTEGER,
    -- reason why the last visit failed, as a phrase that follows the peer's address; NULL: the visit did not fail
    failure TEXT,
    -- number of stored claims
    claims INTEGER NOT NULL DEFAULT 0,
    -- number of claims rejected since the last round began, because their station is our member or belongs to another
    -- peer; and the last such station
    skipped INTEGER NOT NULL DEFAULT 0,
    skipped_callsign TEXT,
    -- our claims_epoch when the round began; if our claims_epoch has changed since, all claims are pulled again
    seen_epoch INTEGER
) STRICT;

CREATE UNIQUE INDEX peers_by_address ON peers (address) WHERE removed_at IS NULL;
CREATE UNIQUE INDEX peers_by_fingerprint ON peers (fingerprint) WHERE fingerprint IS NOT NULL;

-- Codes that pair this service with another service. Each code works once. A row is removed some time after the code
-- has expired.
CREATE TABLE peer_codes (
    -- SHA-256 of the code's secret
    fingerprint BLOB PRIMARY KEY CHECK (length(fingerprint) = 32),
    -- address of the service that may use the code
    address TEXT NOT NULL,
    made_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    -- time at which the code was used or replaced
    used_at INTEGER
) STRICT, WITHOUT ROWID;

-- For each peer and each of our callsigns, the time up to which the peer's claims about the callsign have been
-- fetched.
CREATE TABLE peer_members (
    peer_id INTEGER NOT NULL REFERENCES peers (id),
    callsign_key TEXT NOT NULL,
    -- one of the peer's stamps; NULL: all claims must be requested
    since INTEGER,
    -- number of the last visit that requested claims about the callsign
    visit INTEGER NOT NULL DEFAULT 0,
    -- 1: the callsign belongs to the pull whose position is in peers.cursor
    pulling INTEGER NOT NULL DEFAULT 0 CHECK (pulling IN (0, 1)),
    PRIMARY KEY (peer_id, callsign_key)
) STRICT, WITHOUT ROWID;

-- Claims by a peer's members: their QSOs with our members.
CREATE TABLE claims (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    peer_id INTEGER NOT NULL REFERENCES peers (id),
    -- the peer's id for the QSO
    number TEXT NOT NULL CHECK (length(number) BETWEEN 1 AND 64),
    -- station_key: the peer's member; worked_key: our member
    station_key TEXT NOT NULL,
    worked_key TEXT NOT NULL,
    band INTEGER NOT NULL,
    -- 0: no channel
    channel INTEGER NOT NULL,
    -- mode that represents the family of the QSO's mode; NULL: not given
    mode INTEGER,
    qso_at INTEGER NOT NULL,
    -- the station's callsign in the peer's spelling
    station TEXT NOT NULL CHECK (length(station) BETWEEN 1 AND 20),
    round INTEGER NOT NULL,
    -- id of our QSO that the claim confirms, and whose claim_id is this claim; NULL: none. A foreign key would need
    -- another index, which would cost one page per claim
    qso_id INTEGER
) STRICT;

CREATE UNIQUE INDEX claims_by_number ON claims (peer_id, number);
CREATE INDEX claims_free ON claims (worked_key, station_key, qso_at) WHERE qso_id IS NULL;
CREATE INDEX claims_by_worked ON claims (worked_key, peer_id, round);
CREATE INDEX claims_by_station ON claims (station_key, peer_id);

-- Counts deleted claims. src/store/club/claims_fetch.c counts new claims once per page, because a trigger would double
-- the cost of each claim.
CREATE TRIGGER claims_count_delete AFTER DELETE ON claims
BEGIN
    UPDATE peers SET claims = claims - 1 WHERE id = OLD.peer_id;
END;

-- Our members' QSOs that a peer has received. When a QSO is deleted, it is withdrawn from these peers.
CREATE TABLE claimed (
    member_id INTEGER NOT NULL,
    qso_id INTEGER NOT NULL,
    peer_id INTEGER NOT NULL REFERENCES peers (id),
    -- worked callsign that was sent; several callsigns have several rows, because an answer may have been lost
    worked_key TEXT NOT NULL,
    PRIMARY KEY (member_id, qso_id, peer_id, worked_key)
) STRICT, WITHOUT ROWID;

CREATE INDEX claimed_by_peer ON claimed (peer_id);

-- Makes peers compare all claims if a clientId is used again under another id, because peers would not learn about the
-- deletion.
CREATE TRIGGER tombstones_end_claims AFTER DELETE ON tombstones
WHEN OLD.deleted_at > (SELECT deletions_since FROM logbook)
    AND EXISTS (SELECT 1 FROM claimed WHERE member_id = OLD.member_id AND qso_id = OLD.id)
BEGIN
    UPDATE logbook SET claims_epoch = claims_epoch + 1;
END;
