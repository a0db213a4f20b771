-- Confirmations are decided again after a change of members. Claims under a callsign that is a member's by now go.

CREATE TABLE reviews (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    member_id INTEGER UNIQUE REFERENCES members (id) ON DELETE CASCADE,
    callsign_key TEXT UNIQUE,
    before INTEGER NOT NULL,
    synced_at INTEGER NOT NULL DEFAULT 0,
    qso_id INTEGER NOT NULL DEFAULT 0,
    CHECK ((member_id IS NULL) <> (callsign_key IS NULL))
) STRICT;

CREATE INDEX qsos_under_callsign ON qsos (operator_key)
WHERE operator_callsign IS NOT NULL AND contact_kind >= 0;

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

DROP VIEW IF EXISTS readable_qsos;
DROP INDEX qsos_by_confirmation;
ALTER TABLE qsos DROP COLUMN cross_confirmed_at;
ALTER TABLE qsos ADD COLUMN cross_confirmed_at INTEGER GENERATED ALWAYS AS (
    CASE WHEN confirmed_by IS NOT NULL OR claim_id IS NOT NULL THEN ifnull(claimed_at, paired_at) END) VIRTUAL;
CREATE INDEX qsos_by_confirmation ON qsos (member_id, cross_confirmed_at, id) WHERE confirmed_by IS NOT NULL;

INSERT INTO reviews (callsign_key, before)
SELECT DISTINCT callsign_key, last_stamp
FROM claims JOIN members ON members.callsign_key = claims.station_key CROSS JOIN logbook;
