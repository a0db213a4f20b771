-- The first schema of the QSOsync logbook.
--
-- Times are whole milliseconds since 1970-01-01T00:00:00Z. UUIDs are 16-byte BLOBs. A column
-- without a value is NULL. The database itself refuses what the program should never send: STRICT
-- types, CHECKs, foreign keys. The view readable_qsos shows QSOs in words to a person with the
-- sqlite3 shell.

-- One row about the logbook as a whole.
CREATE TABLE logbook (
    -- always 1: there is one row
    id INTEGER PRIMARY KEY CHECK (id = 1),
    -- the highest time stamp that any write was given; the next write goes above it
    last_stamp INTEGER NOT NULL,
    -- raised when an older state of the logbook is restored, so that clients can notice
    log_epoch INTEGER NOT NULL CHECK (log_epoch >= 1)
) STRICT;

INSERT INTO logbook (id, last_stamp, log_epoch) VALUES (1, 0, 1);

CREATE TABLE members (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    -- upper case, trimmed; the station callsign of every QSO that names no other
    callsign TEXT NOT NULL UNIQUE COLLATE NOCASE CHECK (length(callsign) BETWEEN 1 AND 20),
    -- Maidenhead locator in normal form, 4 or 6 characters
    locator TEXT NOT NULL CHECK (
        locator GLOB '[A-R][A-R][0-9][0-9]'
        OR locator GLOB '[A-R][A-R][0-9][0-9][a-x][a-x]'),
    -- the name that the front server's login reports as REMOTE_USER
    login TEXT NOT NULL UNIQUE CHECK (length(login) BETWEEN 1 AND 200),
    -- 0: no key of this member works, and the log takes part in no new confirmation
    active INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1)),
    -- stamp of the last write that changed this member's log
    log_revision INTEGER NOT NULL DEFAULT 0,
    -- when the member was added
    created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE api_keys (
    -- the key's number in lists and for revoking
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    member_id INTEGER NOT NULL REFERENCES members (id),
    -- the program or site that uses the key
    name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 80),
    scope TEXT NOT NULL CHECK (scope IN ('READ', 'WRITE')),
    -- SHA-256 of the whole key; the key itself is stored nowhere
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

-- At most ten active keys a member, whoever writes and however many at once.
CREATE TRIGGER api_keys_limit_on_insert BEFORE INSERT ON api_keys
WHEN NEW.revoked_at IS NULL
    AND (SELECT count(*) FROM api_keys
         WHERE member_id = NEW.member_id AND revoked_at IS NULL) >= 10
BEGIN
    SELECT RAISE(ABORT, 'a member has at most 10 active keys');
END;

-- Revoking is final, and a key never changes hands, scope or fingerprint.
CREATE TRIGGER api_keys_stay_what_they_are BEFORE UPDATE ON api_keys
WHEN (OLD.revoked_at IS NOT NULL AND NEW.revoked_at IS NULL)
    OR NEW.member_id <> OLD.member_id
    OR NEW.scope <> OLD.scope
    OR NEW.fingerprint <> OLD.fingerprint
BEGIN
    SELECT RAISE(ABORT, 'a key is changed only by revoking it');
END;

CREATE TABLE qsos (
    -- the server's id of the QSO; never used twice
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    member_id INTEGER NOT NULL REFERENCES members (id),
    -- UUID chosen by the client; NULL for QSOs older than synchronisation
    client_id BLOB CHECK (length(client_id) = 16),
    -- time of the last write or confirmation, above the stamp of every earlier write
    synced_at INTEGER NOT NULL,
    -- first saved
    created_at INTEGER NOT NULL,
    -- 0 ELEVEN_METERS, 1 PMR446
    band INTEGER NOT NULL CHECK (band IN (0, 1)),
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
    -- NULL: the member's callsign
    operator_callsign TEXT CHECK (length(operator_callsign) BETWEEN 1 AND 20),
    dx_locator TEXT CHECK (length(dx_locator) IN (4, 6)),
    -- degrees
    dx_lat REAL CHECK (dx_lat BETWEEN -90 AND 90),
    dx_lng REAL CHECK (dx_lng BETWEEN -180 AND 180),
    -- W
    tx_power INTEGER CHECK (tx_power BETWEEN 0 AND 100000),
    my_locator TEXT CHECK (length(my_locator) IN (4, 6)),
    -- kHz, transmit minus receive
    split INTEGER CHECK (split BETWEEN -99999 AND 99999),
    -- 0 SP short, 1 LP long
    path INTEGER CHECK (path IN (0, 1)),
    -- 0 HRD heard, 1 WKD worked, 2 CFM confirmed
    qso_status INTEGER CHECK (qso_status BETWEEN 0 AND 2),
    rst_sent TEXT CHECK (length(rst_sent) BETWEEN 1 AND 10),
    rst_received TEXT CHECK (length(rst_received) BETWEEN 1 AND 10),
    qsl_sent INTEGER NOT NULL DEFAULT 0 CHECK (qsl_sent IN (0, 1)),
    qsl_received INTEGER NOT NULL DEFAULT 0 CHECK (qsl_received IN (0, 1)),
    -- 0 DIRECT, 1 BUREAU, 2 EQSL, 3 ECARD
    qsl_via INTEGER CHECK (qsl_via BETWEEN 0 AND 3),
    notes TEXT CHECK (length(notes) BETWEEN 1 AND 2000),
    radio TEXT CHECK (length(radio) BETWEEN 1 AND 80),
    antenna TEXT CHECK (length(antenna) BETWEEN 1 AND 80),
    -- published as a spot; set once, never moved
    spotted_at INTEGER,
    -- made of time slot, band, station callsign and callsign worked (src/qso/match.c); NULL: cannot
    -- be confirmed
    match_key INTEGER,
    -- the QSO of another member that confirms this one; that one points back
    confirmed_by INTEGER REFERENCES qsos (id) DEFERRABLE INITIALLY DEFERRED,
    cross_confirmed_at INTEGER,
    CHECK ((band = 0 AND channel IS NULL AND ctcss_tone IS NULL AND dcs_code IS NULL)
        OR (band = 1 AND channel IS NOT NULL AND frequency IS NULL)),
    CHECK ((confirmed_by IS NULL) = (cross_confirmed_at IS NULL)),
    CHECK (confirmed_by IS NULL OR confirmed_by <> id)
) STRICT;

-- A clientId belongs to one QSO of one member.
CREATE UNIQUE INDEX qsos_by_client_id ON qsos (client_id) WHERE client_id IS NOT NULL;

-- Both listings: in the order of their last change, and the ids alone without touching the rows.
CREATE INDEX qsos_by_change ON qsos (member_id, synced_at, id, client_id);

-- Candidates for cross-confirmation: only QSOs that are still free.
CREATE INDEX qsos_by_match_key ON qsos (match_key)
WHERE match_key IS NOT NULL AND confirmed_by IS NULL;

-- A QSO confirms at most one other.
CREATE UNIQUE INDEX qsos_by_confirmed_by ON qsos (confirmed_by) WHERE confirmed_by IS NOT NULL;

-- Spots on the service's DX cluster, as they were published; they go with their QSO.
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

-- QSOs in words.
CREATE VIEW readable_qsos AS
SELECT
    qsos.id,
    members.callsign AS member,
    lower(substr(hex(client_id), 1, 8) || '-' || substr(hex(client_id), 9, 4) || '-'
        || substr(hex(client_id), 13, 4) || '-' || substr(hex(client_id), 17, 4) || '-'
        || substr(hex(client_id), 21)) AS client_id,
    CASE band WHEN 0 THEN 'ELEVEN_METERS' ELSE 'PMR446' END AS band,
    strftime('%Y-%m-%dT%H:%M:%SZ', qso_at / 1000, 'unixepoch') AS qso_at,
    CASE WHEN frequency IS NOT NULL THEN printf('%.3f', frequency / 1000.0) END AS frequency_mhz,
    channel, ctcss_tone, dcs_code,
    CASE mode WHEN 0 THEN 'FM' WHEN 1 THEN 'AM' WHEN 2 THEN 'SSB' WHEN 3 THEN 'USB'
        WHEN 4 THEN 'LSB' WHEN 5 THEN 'CW' WHEN 6 THEN 'DIGITAL' END AS mode,
    callsign_worked,
    coalesce(operator_callsign, members.callsign) AS station_callsign,
    dx_locator, dx_lat, dx_lng, tx_power AS tx_power_w, my_locator, split AS split_khz,
    CASE path WHEN 0 THEN 'SP' WHEN 1 THEN 'LP' END AS path,
    CASE qso_status WHEN 0 THEN 'HRD' WHEN 1 THEN 'WKD' WHEN 2 THEN 'CFM' END AS qso_status,
    rst_sent, rst_received, qsl_sent, qsl_received,
    CASE qsl_via WHEN 0 THEN 'DIRECT' WHEN 1 THEN 'BUREAU' WHEN 2 THEN 'EQSL'
        WHEN 3 THEN 'ECARD' END AS qsl_via,
    notes, radio, antenna,
    strftime('%Y-%m-%dT%H:%M:%SZ', spotted_at / 1000, 'unixepoch') AS spotted_at,
    strftime('%Y-%m-%dT%H:%M:%SZ', cross_confirmed_at / 1000, 'unixepoch') AS cross_confirmed_at,
    strftime('%Y-%m-%dT%H:%M:%SZ', qsos.created_at / 1000, 'unixepoch') AS created_at,
    strftime('%Y-%m-%dT%H:%M:%SZ', synced_at / 1000, 'unixepoch') AS synced_at
FROM qsos JOIN members ON members.id = qsos.member_id;
