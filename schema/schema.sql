-- What a QSOsync logbook holds: one SQLite database, the only state of the service. A new logbook is made from this
-- file; older ones come to the same schema by the steps in schema/migrations. Programs open it in WAL mode, by the
-- statements in schema/statements. To look at one: sqlite3 logbook.db 'SELECT * FROM readable_qsos LIMIT 10'.
--
-- In every table:
-- * A time is a whole number of milliseconds since 1970-01-01T00:00:00Z, unless its column says days.
-- * A stamp is such a time that orders writes: each write of the logbook gets a greater one than all writes before it,
--   even if the clock was set back. Clients synchronise by stamps, never by clocks.
-- * A UUID is a BLOB of 16 bytes. A callsign is text as its owner wrote it; the columns named ..._key hold it in upper
--   case without spaces, hyphens and dots, which is how callsigns are compared.
-- * NULL means that there is no value.
-- * Secrets (keys, tokens, cookies, links) are stored as their SHA-256, passwords as what crypt(3) makes of them.

PRAGMA user_version = 16;

-- == The logbook and the club ========================================================================================

-- One row about the logbook as a whole.
CREATE TABLE logbook (
    -- always 1: there is one row
    id INTEGER PRIMARY KEY CHECK (id = 1),
    -- the greatest stamp that any write was given; the next write gets a greater one
    last_stamp INTEGER NOT NULL,
    -- raised when an older state of the logbook is restored, so that clients notice and compare their whole log
    log_epoch INTEGER NOT NULL CHECK (log_epoch >= 1),
    -- 1: members' programs may upload QSOs with upload tokens
    uploads INTEGER NOT NULL DEFAULT 0 CHECK (uploads IN (0, 1)),
    -- stamp since when no tombstone was removed because of its age: deletions after it are all known
    deletions_since INTEGER NOT NULL DEFAULT 0,
    -- stamp of the write that set "uploads" last; 0: nobody ever did
    uploads_set_at INTEGER NOT NULL DEFAULT 0,
    -- stamp of the last restore; 0: there was none
    restored_at INTEGER NOT NULL DEFAULT 0,
    -- random; backups and restores keep it, so that nobody restores another logbook's backup by mistake
    identity BLOB CHECK (length(identity) = 16)
) STRICT;

INSERT INTO logbook (id, last_stamp, log_epoch, identity) VALUES (1, 0, 1, randomblob(16));

-- One row: what the pages say of the club, and where its service is.
CREATE TABLE club (
    -- always 1: there is one row
    id INTEGER PRIMARY KEY CHECK (id = 1),
    name TEXT CHECK (length(name) BETWEEN 1 AND 80),
    -- a line or two about the club, on the front page
    text TEXT CHECK (length(text) BETWEEN 1 AND 500),
    -- the club's own page on the web
    link TEXT CHECK (length(link) BETWEEN 1 AND 500),
    -- how members reach the operator
    contact TEXT CHECK (length(contact) BETWEEN 1 AND 200),
    -- legal notice: plain text or a link
    legal TEXT CHECK (length(legal) BETWEEN 1 AND 2000),
    -- of the service, without a slash at the end: https://log.example.org
    address TEXT CHECK (length(address) BETWEEN 1 AND 500),
    -- whether the front page tells how many members and QSOs there are; NULL: it does
    numbers TEXT CHECK (numbers IN ('on', 'off')),
    -- stamps of the writes that set each of these last, or took it away; 0: nobody ever did
    name_set_at INTEGER NOT NULL DEFAULT 0,
    text_set_at INTEGER NOT NULL DEFAULT 0,
    link_set_at INTEGER NOT NULL DEFAULT 0,
    contact_set_at INTEGER NOT NULL DEFAULT 0,
    legal_set_at INTEGER NOT NULL DEFAULT 0,
    address_set_at INTEGER NOT NULL DEFAULT 0,
    numbers_set_at INTEGER NOT NULL DEFAULT 0
) STRICT;

INSERT INTO club (id) VALUES (1);

-- What operators did, by command or on their page; kept for a year.
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

-- == Members and what they sign in with ==============================================================================

-- A member is a person who has a log here.
CREATE TABLE members (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    -- upper case, trimmed; the station callsign of every QSO that names no other
    callsign TEXT NOT NULL UNIQUE COLLATE NOCASE CHECK (length(callsign) BETWEEN 1 AND 20),
    -- Maidenhead locator in normal form, 4 or 6 characters
    locator TEXT NOT NULL CHECK (
        locator GLOB '[A-R][A-R][0-9][0-9]'
        OR locator GLOB '[A-R][A-R][0-9][0-9][a-x][a-x]'),
    -- the name that a login of the web server, if it has one, reports as REMOTE_USER
    login TEXT NOT NULL UNIQUE CHECK (length(login) BETWEEN 1 AND 200),
    -- 0: disabled; no key or session of this member works, and the log takes part in no new confirmation
    active INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1)),
    -- stamp of the last write that changed this member's log
    log_revision INTEGER NOT NULL DEFAULT 0,
    -- when the member was added
    created_at INTEGER NOT NULL,
    -- the callsign as callsigns are compared
    callsign_key TEXT GENERATED ALWAYS AS (
        replace(replace(replace(upper(callsign), ' ', ''), '-', ''), '.', '')) VIRTUAL,
    -- as in "logbook", for this member's log: stamp since when all deletions are known
    deletions_since INTEGER NOT NULL DEFAULT 0,
    -- what crypt(3) (yescrypt) made of the password; NULL: none was set
    password_hash TEXT CHECK (length(password_hash) BETWEEN 1 AND 500),
    -- stamp of the write that set the password, or took it away; 0: nobody ever did
    password_set_at INTEGER NOT NULL DEFAULT 0,
    -- random; goes into the UUIDs of QSOs that come without one, so that nobody can guess them. NULL: not needed yet
    client_id_secret BLOB CHECK (length(client_id_secret) = 16),
    -- 1: the member runs the club and may use the operator's page
    is_operator INTEGER NOT NULL DEFAULT 0 CHECK (is_operator IN (0, 1)),
    -- the greatest edit number that was used in this log (see "acts")
    last_edit INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX members_by_callsign_key ON members (callsign_key);
CREATE INDEX members_operators ON members (is_operator) WHERE is_operator = 1;

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

-- Members that were deleted, so that a backup from before does not bring them back. Nothing else of them is kept.
CREATE TABLE deleted_members (
    -- the member's; never used twice
    id INTEGER PRIMARY KEY,
    -- when the member was added, which tells another logbook's member of the same number apart
    created_at INTEGER NOT NULL
) STRICT;

-- The keys with which members' programs use the API.
CREATE TABLE api_keys (
    -- the key's number in lists and for revoking
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    member_id INTEGER NOT NULL REFERENCES members (id),
    -- the program or site that uses the key
    name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 80),
    scope TEXT NOT NULL CHECK (scope IN ('READ', 'WRITE')),
    -- SHA-256 of the whole key
    fingerprint BLOB NOT NULL UNIQUE CHECK (length(fingerprint) = 32),
    -- the first characters of the key, for lists
    hint TEXT NOT NULL CHECK (length(hint) <= 12),
    created_at INTEGER NOT NULL,
    -- the day of the last use, as days since 1970-01-01
    last_used_day INTEGER,
    -- when it was revoked; NULL: it works
    revoked_at INTEGER
) STRICT;

CREATE INDEX api_keys_by_member ON api_keys (member_id, id);

CREATE TRIGGER api_keys_limit_on_insert BEFORE INSERT ON api_keys
WHEN NEW.revoked_at IS NULL
    AND (SELECT count(*) FROM api_keys
         WHERE member_id = NEW.member_id AND revoked_at IS NULL) >= 10
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

-- The last request or entry of each key that was refused, for the member's profile.
CREATE TABLE key_refusals (
    key_id INTEGER PRIMARY KEY REFERENCES api_keys (id) ON DELETE CASCADE,
    refused_at INTEGER NOT NULL,
    -- the error's code, or the code or sentence of the first rejected entry of a batch
    code TEXT NOT NULL,
    -- the field that it was about
    field TEXT,
    -- entries that were rejected together; 1 for a request that was refused whole
    entries INTEGER NOT NULL CHECK (entries >= 1)
) STRICT;

-- The tokens with which logging programs upload QSOs, in the place of a key.
CREATE TABLE upload_tokens (
    -- the token's number in lists and for revoking
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    member_id INTEGER NOT NULL REFERENCES members (id),
    -- the program that uses the token
    name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 80),
    -- SHA-256 of the whole token
    fingerprint BLOB NOT NULL UNIQUE CHECK (length(fingerprint) = 32),
    -- the first characters of the token, for lists
    hint TEXT NOT NULL CHECK (length(hint) <= 14),
    created_at INTEGER NOT NULL,
    -- the day of the last use, as days since 1970-01-01
    last_used_day INTEGER,
    -- when it was revoked; NULL: it works
    revoked_at INTEGER,
    -- 1: its program may also read the log
    may_read INTEGER NOT NULL DEFAULT 0 CHECK (may_read IN (0, 1))
) STRICT;

CREATE INDEX upload_tokens_by_member ON upload_tokens (member_id, id);

CREATE TRIGGER upload_tokens_limit_on_insert BEFORE INSERT ON upload_tokens
WHEN NEW.revoked_at IS NULL
    AND (SELECT count(*) FROM upload_tokens
         WHERE member_id = NEW.member_id AND revoked_at IS NULL) >= 10
BEGIN
    SELECT RAISE(ABORT, 'a member has at most 10 active upload tokens');
END;

CREATE TRIGGER upload_tokens_stay_what_they_are BEFORE UPDATE ON upload_tokens
WHEN (OLD.revoked_at IS NOT NULL AND NEW.revoked_at IS NULL)
    OR NEW.member_id <> OLD.member_id
    OR NEW.fingerprint <> OLD.fingerprint
    OR NEW.may_read <> OLD.may_read
BEGIN
    SELECT RAISE(ABORT, 'a token is changed only by revoking it');
END;

-- The browsers that members are signed in with.
CREATE TABLE sessions (
    -- its number in lists and for signing out; never used twice
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    member_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
    -- SHA-256 of the cookie's value
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

-- Links that sign a member in, once.
CREATE TABLE sign_in_links (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    member_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
    -- 0: an invitation of an operator; 1: for another device, by a member who is signed in
    kind INTEGER NOT NULL CHECK (kind IN (0, 1)),
    -- SHA-256 of the link's secret
    fingerprint BLOB NOT NULL UNIQUE CHECK (length(fingerprint) = 32),
    made_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    -- when it was used; NULL: it was not
    used_at INTEGER,
    -- when another link took its place, or it was withdrawn; NULL: it was not
    replaced_at INTEGER
) STRICT;

CREATE UNIQUE INDEX sign_in_links_open ON sign_in_links (member_id, kind)
WHERE used_at IS NULL AND replaced_at IS NULL;
CREATE INDEX sign_in_links_by_member ON sign_in_links (member_id, id);
CREATE INDEX sign_in_links_by_end ON sign_in_links (expires_at);

-- == QSOs ============================================================================================================

-- The contacts of all members. What a field means and which values it takes: src/qso/fields.c, and the API's
-- description for clients.
CREATE TABLE qsos (
    -- the server's id of the QSO; never used twice
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    -- whose log it is in
    member_id INTEGER NOT NULL REFERENCES members (id),
    -- UUID chosen by the client; NULL for QSOs older than synchronisation
    client_id BLOB CHECK (length(client_id) = 16),
    -- stamp of the last write or confirmation
    synced_at INTEGER NOT NULL,
    -- when it was first saved
    created_at INTEGER NOT NULL,
    -- 0 ELEVEN_METERS, 1 PMR446
    band INTEGER NOT NULL CHECK (band IN (0, 1)),
    -- when the contact took place; years 0001 to 9999
    qso_at INTEGER NOT NULL CHECK (qso_at BETWEEN -62135596800000 AND 253402300799999),
    -- kHz (11 m only)
    frequency INTEGER CHECK (frequency BETWEEN 26000 AND 28000),
    -- PMR446 only, and demanded there
    channel INTEGER CHECK (channel BETWEEN 1 AND 16),
    -- Hz with one decimal, as the client wrote it (PMR446 only)
    ctcss_tone TEXT CHECK (ctcss_tone GLOB '[0-9][0-9].[0-9]' OR ctcss_tone GLOB '[0-9][0-9][0-9].[0-9]'),
    -- three octal digits, optional D before, optional N or I behind (PMR446 only)
    dcs_code TEXT CHECK (length(dcs_code) BETWEEN 3 AND 5),
    -- 0 FM, 1 AM, 2 SSB, 3 USB, 4 LSB, 5 CW, 6 DIGITAL
    mode INTEGER CHECK (mode BETWEEN 0 AND 6),
    callsign_worked TEXT CHECK (length(callsign_worked) BETWEEN 1 AND 20),
    -- the callsign that the member used; NULL: the member's own
    operator_callsign TEXT CHECK (length(operator_callsign) BETWEEN 1 AND 20),
    -- Maidenhead locator of the station worked
    dx_locator TEXT CHECK (length(dx_locator) IN (4, 6)),
    -- degrees; the exact place of the station worked, if it is known
    dx_lat REAL CHECK (dx_lat BETWEEN -90 AND 90),
    dx_lng REAL CHECK (dx_lng BETWEEN -180 AND 180),
    -- W
    tx_power INTEGER CHECK (tx_power BETWEEN 0 AND 100000),
    -- Maidenhead locator of the member for this contact
    my_locator TEXT CHECK (length(my_locator) IN (4, 6)),
    -- kHz, transmit minus receive
    split INTEGER CHECK (split BETWEEN -99999 AND 99999),
    -- 0 SP short, 1 LP long
    path INTEGER CHECK (path IN (0, 1)),
    -- 0 HRD heard, 1 WKD worked, 2 CFM confirmed
    qso_status INTEGER CHECK (qso_status BETWEEN 0 AND 2),
    -- signal reports
    rst_sent TEXT CHECK (length(rst_sent) BETWEEN 1 AND 10),
    rst_received TEXT CHECK (length(rst_received) BETWEEN 1 AND 10),
    -- 1: a QSL card was sent, was received
    qsl_sent INTEGER NOT NULL DEFAULT 0 CHECK (qsl_sent IN (0, 1)),
    qsl_received INTEGER NOT NULL DEFAULT 0 CHECK (qsl_received IN (0, 1)),
    -- 0 DIRECT, 1 BUREAU, 2 EQSL, 3 ECARD
    qsl_via INTEGER CHECK (qsl_via BETWEEN 0 AND 3),
    notes TEXT CHECK (length(notes) BETWEEN 1 AND 2000),
    radio TEXT CHECK (length(radio) BETWEEN 1 AND 80),
    antenna TEXT CHECK (length(antenna) BETWEEN 1 AND 80),
    -- when it was published as a spot; set once, never moved
    spotted_at INTEGER,
    -- the QSO of another member that confirms this one, and is confirmed by it
    confirmed_by INTEGER REFERENCES qsos (id) DEFERRABLE INITIALLY DEFERRED,
    -- when the two were found to confirm each other
    cross_confirmed_at INTEGER,
    -- The next five are what QSOs that confirm each other are searched by (src/qso/match.c, and the index
    -- qsos_by_contact). The number of the two hours in which the contact took place:
    slot INTEGER GENERATED ALWAYS AS (
        (qso_at + 62135596800000) / 7200000 - 8629944) VIRTUAL,
    -- ms since these two hours began
    slot_ms INTEGER GENERATED ALWAYS AS (
        (qso_at + 62135596800000) % 7200000) VIRTUAL,
    -- the callsign worked, as callsigns are compared
    worked_key TEXT GENERATED ALWAYS AS (
        CASE WHEN callsign_worked GLOB '*[- .a-z]*'
            THEN replace(replace(replace(upper(callsign_worked), ' ', ''), '-', ''), '.', '')
            ELSE callsign_worked END) VIRTUAL,
    -- the member's own callsign for this contact, as callsigns are compared
    operator_key TEXT GENERATED ALWAYS AS (
        CASE WHEN operator_callsign GLOB '*[- .a-z]*'
            THEN replace(replace(replace(upper(operator_callsign), ' ', ''), '-', ''), '.', '')
            ELSE operator_callsign END) VIRTUAL,
    -- channel and family of modes (SSB, USB and LSB are one); -1: confirmed already; NULL: cannot be confirmed
    contact_kind INTEGER GENERATED ALWAYS AS (
        CASE WHEN confirmed_by IS NOT NULL THEN -1
            WHEN callsign_worked IS NULL OR qso_status IS 0 THEN NULL
            ELSE ifnull(channel, 0) * 8
                + CASE WHEN mode IS NULL THEN 0 WHEN mode IN (3, 4) THEN 3 ELSE mode + 1 END
        END) VIRTUAL,
    -- the edit that the present content is from (see "acts"); 0: it is older than the history
    edit INTEGER NOT NULL DEFAULT 0,
    CHECK ((band = 0 AND channel IS NULL AND ctcss_tone IS NULL AND dcs_code IS NULL)
        OR (band = 1 AND channel IS NOT NULL AND frequency IS NULL)),
    CHECK ((confirmed_by IS NULL) = (cross_confirmed_at IS NULL)),
    CHECK (confirmed_by IS NULL OR confirmed_by <> id)
) STRICT;

CREATE UNIQUE INDEX qsos_by_client_id ON qsos (client_id) WHERE client_id IS NOT NULL;
CREATE INDEX qsos_by_change ON qsos (member_id, synced_at, id, client_id);
CREATE UNIQUE INDEX qsos_by_confirmed_by ON qsos (confirmed_by) WHERE confirmed_by IS NOT NULL;
CREATE INDEX qsos_by_contact
ON qsos (member_id, slot, worked_key, operator_key, contact_kind, slot_ms);
CREATE INDEX qsos_by_operator ON qsos (worked_key, slot, operator_key, member_id)
WHERE operator_callsign IS NOT NULL AND contact_kind >= 0;

-- QSOs that were deleted, so that clients learn of it. A row goes after two years (QSOSYNC_TOMBSTONE_DAYS), or when the
-- member uses its UUID again.
CREATE TABLE tombstones (
    -- that the QSO had, which is used no second time
    id INTEGER PRIMARY KEY,
    member_id INTEGER NOT NULL REFERENCES members (id),
    -- stamp of the deletion
    deleted_at INTEGER NOT NULL,
    client_id BLOB CHECK (length(client_id) = 16)
) STRICT;

CREATE INDEX tombstones_by_change ON tombstones (member_id, deleted_at, id);
CREATE INDEX tombstones_by_client_id ON tombstones (client_id) WHERE client_id IS NOT NULL;
CREATE INDEX tombstones_by_age ON tombstones (deleted_at);

-- What a record of an ADIF file held that a QSO has no field for; it is written back at export.
CREATE TABLE leftovers (
    member_id INTEGER NOT NULL,
    qso_id INTEGER NOT NULL,
    -- the edit that brought them: they belong to its content, and to what was made of it since, up to the next row's.
    -- Stays while the content can come back.
    edit INTEGER NOT NULL,
    -- fields of ADIF (src/adif/leftovers.c); empty: none any more
    fields BLOB NOT NULL CHECK (length(fields) <= 4000),
    PRIMARY KEY (member_id, qso_id, edit)
) STRICT, WITHOUT ROWID;

-- == Spots ===========================================================================================================

-- QSOs that were published on the DX cluster, as they were then. A spot goes with its QSO.
CREATE TABLE spots (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    qso_id INTEGER NOT NULL UNIQUE REFERENCES qsos (id) ON DELETE CASCADE,
    spotted_at INTEGER NOT NULL,
    -- station callsign of the member
    spotter TEXT NOT NULL,
    dx_callsign TEXT,
    band INTEGER NOT NULL,
    -- Hz
    frequency INTEGER,
    channel INTEGER,
    ctcss_tone TEXT,
    dcs_code TEXT,
    mode INTEGER,
    my_locator TEXT,
    dx_locator TEXT
) STRICT;

-- When each member published spots in the last minute, also those that were deleted since: at most 20 are published.
CREATE TABLE spot_times (
    member_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
    spotted_at INTEGER NOT NULL
) STRICT;

CREATE INDEX spot_times_by_member ON spot_times (member_id, spotted_at);

-- QSOs that an undo brought back: they were spotted once and have no spot any more.
CREATE TABLE ended_spots (
    qso_id INTEGER PRIMARY KEY REFERENCES qsos (id) ON DELETE CASCADE
) STRICT;

-- == History =========================================================================================================

-- Who wrote into a log, and what was there before, for 180 days (QSOSYNC_HISTORY_DAYS), so that it can be undone.
--
-- An edit is a number that counts the writes into one log; every QSO has that of the write that its content is from. An
-- act is a run of edits by one writer, which ends after ten minutes without a write, or when another writer begins.
CREATE TABLE acts (
    member_id INTEGER NOT NULL REFERENCES members (id),
    -- its first edit
    number INTEGER NOT NULL,
    -- its last edit
    last INTEGER NOT NULL CHECK (last >= number),
    -- counts the acts of a member
    ordinal INTEGER NOT NULL,
    -- 0 the operator, 1 an API key, 2 an upload token, 3 a session
    writer INTEGER NOT NULL CHECK (writer BETWEEN 0 AND 3),
    -- of the key, token or session; 0: the operator
    writer_number INTEGER NOT NULL,
    -- the device of a session, whose row goes when it ends
    label TEXT,
    -- 0 synchronisation, 1 an import, 2 an undo, 3 a restore
    work INTEGER NOT NULL CHECK (work BETWEEN 0 AND 3),
    -- the file that was imported, or whose writes were undone
    subject TEXT CHECK (length(subject) BETWEEN 1 AND 200),
    -- the one act that this one has undone
    takes_back INTEGER,
    -- stamps of its first and last write
    began_at INTEGER NOT NULL,
    ended_at INTEGER NOT NULL,
    -- QSOs: new ones, changes, deletions, and those that came back
    created INTEGER NOT NULL DEFAULT 0,
    changed INTEGER NOT NULL DEFAULT 0,
    deleted INTEGER NOT NULL DEFAULT 0,
    revived INTEGER NOT NULL DEFAULT 0,
    -- among these ids are all that it created; NULL: it created none
    first_created INTEGER,
    last_created INTEGER,
    -- rows of "former" that it made, and that all acts of the member before it made
    states INTEGER NOT NULL DEFAULT 0,
    states_before INTEGER NOT NULL,
    -- 1: it is too old to be undone; its rows are being removed
    pruned INTEGER NOT NULL DEFAULT 0 CHECK (pruned IN (0, 1)),
    PRIMARY KEY (member_id, number)
) STRICT, WITHOUT ROWID;

CREATE INDEX acts_by_age ON acts (began_at);

-- What an edit replaced or deleted.
CREATE TABLE former (
    member_id INTEGER NOT NULL,
    edit INTEGER NOT NULL,
    qso_id INTEGER NOT NULL,
    -- ms since its act began
    at INTEGER NOT NULL,
    -- the edit whose content it replaced; 0: content from before the history, or none
    previous_edit INTEGER NOT NULL,
    -- if it is part of an undo: the edit whose content it brought back; 0 likewise. NULL: the content is its own
    restored_edit INTEGER,
    -- the content that it replaced (src/store/state.c); NULL: the QSO was not there
    state BLOB,
    PRIMARY KEY (member_id, edit, qso_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX former_of_undo ON former (member_id, qso_id, edit, previous_edit) WHERE restored_edit IS NOT NULL;

-- QSOs that are not there but have a history, by which they can come back.
CREATE TABLE gone (
    member_id INTEGER NOT NULL,
    qso_id INTEGER NOT NULL,
    -- the edit that is why it is not there; 0: its creation was undone
    edit INTEGER NOT NULL,
    -- the edit that removed it last, which has its content
    removed_by INTEGER NOT NULL,
    client_id BLOB CHECK (length(client_id) = 16),
    PRIMARY KEY (member_id, qso_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX gone_by_removal ON gone (member_id, removed_by, qso_id);
CREATE INDEX gone_by_client_id ON gone (client_id) WHERE client_id IS NOT NULL;
