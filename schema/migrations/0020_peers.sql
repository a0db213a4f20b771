-- Other clubs' services, which confirm QSOs between their members and ours.

ALTER TABLE logbook ADD COLUMN claims_epoch INTEGER NOT NULL DEFAULT 0;
ALTER TABLE members ADD COLUMN claims INTEGER NOT NULL DEFAULT 1 CHECK (claims IN (0, 1));
DROP VIEW IF EXISTS readable_qsos;
ALTER TABLE qsos RENAME COLUMN cross_confirmed_at TO paired_at;
ALTER TABLE qsos ADD COLUMN claimed_at INTEGER;
ALTER TABLE qsos ADD COLUMN cross_confirmed_at INTEGER GENERATED ALWAYS AS (ifnull(claimed_at, paired_at)) VIRTUAL;

CREATE TRIGGER members_change_claims AFTER UPDATE OF callsign, active, claims ON members
WHEN OLD.callsign <> NEW.callsign OR OLD.active < NEW.active OR OLD.claims <> NEW.claims
BEGIN
    UPDATE logbook SET claims_epoch = claims_epoch + 1;
END;

CREATE TRIGGER members_end_claims AFTER DELETE ON members
BEGIN
    UPDATE logbook SET claims_epoch = claims_epoch + 1;
END;

CREATE TABLE peers (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 500),
    address TEXT NOT NULL CHECK (length(address) BETWEEN 1 AND 500),
    club TEXT CHECK (length(club) BETWEEN 1 AND 80),
    added_at INTEGER NOT NULL,
    paired_at INTEGER,
    removed_at INTEGER,
    code BLOB NOT NULL CHECK (length(code) = 32),
    fingerprint BLOB CHECK (length(fingerprint) = 32),
    ask_key TEXT,
    given_key TEXT,
    epoch TEXT,
    cursor TEXT,
    round INTEGER NOT NULL DEFAULT 1,
    visit INTEGER NOT NULL DEFAULT 1,
    asked_at INTEGER,
    answered_at INTEGER,
    failure TEXT,
    claims INTEGER NOT NULL DEFAULT 0,
    skipped INTEGER NOT NULL DEFAULT 0,
    skipped_callsign TEXT,
    seen_epoch INTEGER
) STRICT;

CREATE UNIQUE INDEX peers_by_address ON peers (address) WHERE removed_at IS NULL;
CREATE UNIQUE INDEX peers_by_fingerprint ON peers (fingerprint) WHERE fingerprint IS NOT NULL;

CREATE TABLE peer_codes (
    fingerprint BLOB PRIMARY KEY CHECK (length(fingerprint) = 32),
    address TEXT NOT NULL,
    made_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    used_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE peer_members (
    peer_id INTEGER NOT NULL REFERENCES peers (id),
    callsign_key TEXT NOT NULL,
    since INTEGER,
    visit INTEGER NOT NULL DEFAULT 0,
    pulling INTEGER NOT NULL DEFAULT 0 CHECK (pulling IN (0, 1)),
    PRIMARY KEY (peer_id, callsign_key)
) STRICT, WITHOUT ROWID;

CREATE TABLE claims (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    peer_id INTEGER NOT NULL REFERENCES peers (id),
    number TEXT NOT NULL CHECK (length(number) BETWEEN 1 AND 64),
    station_key TEXT NOT NULL,
    worked_key TEXT NOT NULL,
    band INTEGER NOT NULL,
    channel INTEGER NOT NULL,
    mode INTEGER,
    qso_at INTEGER NOT NULL,
    station TEXT NOT NULL CHECK (length(station) BETWEEN 1 AND 20),
    round INTEGER NOT NULL,
    qso_id INTEGER REFERENCES qsos (id) DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE UNIQUE INDEX claims_by_number ON claims (peer_id, number);
CREATE UNIQUE INDEX claims_by_qso ON claims (qso_id) WHERE qso_id IS NOT NULL;
CREATE INDEX claims_free ON claims (worked_key, station_key, qso_at) WHERE qso_id IS NULL;
CREATE INDEX claims_by_worked ON claims (worked_key, peer_id, round);
CREATE INDEX claims_by_station ON claims (station_key, peer_id);

CREATE TRIGGER claims_count_insert AFTER INSERT ON claims
BEGIN
    UPDATE peers SET claims = claims + 1 WHERE id = NEW.peer_id;
END;

CREATE TRIGGER claims_count_delete AFTER DELETE ON claims
BEGIN
    UPDATE peers SET claims = claims - 1 WHERE id = OLD.peer_id;
END;

CREATE TABLE claimed (
    member_id INTEGER NOT NULL,
    qso_id INTEGER NOT NULL,
    peer_id INTEGER NOT NULL REFERENCES peers (id),
    worked_key TEXT NOT NULL,
    PRIMARY KEY (member_id, qso_id, peer_id, worked_key)
) STRICT, WITHOUT ROWID;

CREATE INDEX claimed_by_peer ON claimed (peer_id);

CREATE TRIGGER tombstones_end_claims AFTER DELETE ON tombstones
WHEN OLD.deleted_at > (SELECT deletions_since FROM logbook)
    AND EXISTS (SELECT 1 FROM claimed WHERE member_id = OLD.member_id AND qso_id = OLD.id)
BEGIN
    UPDATE logbook SET claims_epoch = claims_epoch + 1;
END;
