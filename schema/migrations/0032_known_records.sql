-- Records without a clientId of ours are matched with QSOs, and remembered. The secret that clientIds were made of is
-- the cluster feed's alone now.

ALTER TABLE members RENAME COLUMN client_id_secret TO feed_secret;
ALTER TABLE qsos ADD COLUMN token_id INTEGER;

CREATE TABLE known_records (
    member_id INTEGER NOT NULL,
    at INTEGER NOT NULL,
    mark INTEGER NOT NULL,
    source TEXT NOT NULL CHECK (length(source) BETWEEN 1 AND 32),
    qso_id INTEGER NOT NULL,
    until INTEGER CHECK (until > at),
    said BLOB NOT NULL CHECK (length(said) <= 400),
    PRIMARY KEY (member_id, at, mark, source)
) STRICT, WITHOUT ROWID;

CREATE INDEX known_records_by_qso ON known_records (member_id, qso_id);
CREATE INDEX known_records_long ON known_records (member_id) WHERE until IS NOT NULL;

CREATE TABLE program_ids (
    member_id INTEGER NOT NULL,
    program TEXT NOT NULL CHECK (length(program) BETWEEN 1 AND 32),
    id TEXT NOT NULL CHECK (length(id) BETWEEN 1 AND 64),
    qso_id INTEGER NOT NULL,
    PRIMARY KEY (member_id, program, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX program_ids_by_qso ON program_ids (member_id, qso_id, program);

CREATE TABLE former_callsigns (
    member_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
    callsign TEXT NOT NULL CHECK (length(callsign) BETWEEN 1 AND 20),
    PRIMARY KEY (member_id, callsign)
) STRICT, WITHOUT ROWID;
