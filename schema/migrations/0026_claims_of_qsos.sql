-- A QSO knows the claim that confirms it, so that no index of claims has to.

ALTER TABLE qsos ADD COLUMN claim_id INTEGER;
UPDATE qsos SET claim_id = claims.id FROM claims WHERE claims.qso_id = qsos.id;

ALTER TABLE claims RENAME TO bound_claims;

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
    qso_id INTEGER
) STRICT;

INSERT INTO claims SELECT * FROM bound_claims;
DROP TABLE bound_claims;

CREATE UNIQUE INDEX claims_by_number ON claims (peer_id, number);
CREATE INDEX claims_free ON claims (worked_key, station_key, qso_at) WHERE qso_id IS NULL;
CREATE INDEX claims_by_worked ON claims (worked_key, peer_id, round);
CREATE INDEX claims_by_station ON claims (station_key, peer_id);

CREATE TRIGGER claims_count_delete AFTER DELETE ON claims
BEGIN
    UPDATE peers SET claims = claims - 1 WHERE id = OLD.peer_id;
END;
