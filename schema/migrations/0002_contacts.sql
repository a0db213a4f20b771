-- Cross-confirmation finds the other side of a contact by columns that say all that decides, instead of by
-- a hash of some of it: what the search costs no longer grows with what somebody has stored. The owner of a
-- log looks at it by the same index: by time, and by the callsign worked.
--
-- Virtual columns take no space in the rows; their values are in the index.

DROP INDEX qsos_by_match_key;
ALTER TABLE qsos DROP COLUMN match_key;

-- time in units of two hours, which begin with the year 1 so that none has both sides of 1970; within 15
-- minutes before and after a QSO there are rarely two of them
ALTER TABLE qsos ADD COLUMN slot INTEGER GENERATED ALWAYS AS (
    (qso_at + 62135596800000) / 7200000 - 8629944) VIRTUAL;
-- ms in the slot, which take less space in the index than qso_at
ALTER TABLE qsos ADD COLUMN slot_ms INTEGER GENERATED ALWAYS AS (
    (qso_at + 62135596800000) % 7200000) VIRTUAL;
-- the callsigns in the form that is compared: upper case, without spaces, hyphens and dots; most are
-- written so
ALTER TABLE qsos ADD COLUMN worked_key TEXT GENERATED ALWAYS AS (
    CASE WHEN callsign_worked GLOB '*[- .a-z]*'
        THEN replace(replace(replace(upper(callsign_worked), ' ', ''), '-', ''), '.', '')
        ELSE callsign_worked END) VIRTUAL;
ALTER TABLE qsos ADD COLUMN operator_key TEXT GENERATED ALWAYS AS (
    CASE WHEN operator_callsign GLOB '*[- .a-z]*'
        THEN replace(replace(replace(upper(operator_callsign), ' ', ''), '-', ''), '.', '')
        ELSE operator_callsign END) VIRTUAL;
-- 8 for each channel (none: 0), and the mode: 0 none, otherwise its number and 1, with USB and LSB as SSB;
-- a channel stands for its band. -1: confirmed. NULL: cannot be confirmed
ALTER TABLE qsos ADD COLUMN contact_kind INTEGER GENERATED ALWAYS AS (
    CASE WHEN confirmed_by IS NOT NULL THEN -1
        WHEN callsign_worked IS NULL OR qso_status IS 0 THEN NULL
        ELSE ifnull(channel, 0) * 8
            + CASE WHEN mode IS NULL THEN 0 WHEN mode IN (3, 4) THEN 3 ELSE mode + 1 END
    END) VIRTUAL;
ALTER TABLE members ADD COLUMN callsign_key TEXT GENERATED ALWAYS AS (
    replace(replace(replace(upper(callsign), ' ', ''), '-', ''), '.', '')) VIRTUAL;

-- The slot comes before the callsign, so that what is logged at one time lies in one place.
CREATE INDEX qsos_by_contact
ON qsos (member_id, slot, worked_key, operator_key, contact_kind, slot_ms);

-- QSOs that can be confirmed, under callsigns that may be no member's.
CREATE INDEX qsos_by_operator ON qsos (worked_key, slot, operator_key, member_id)
WHERE operator_callsign IS NOT NULL AND contact_kind >= 0;

CREATE INDEX members_by_callsign_key ON members (callsign_key);

-- Callsigns that confirmation cannot tell apart are not made; a pair from before may stay.
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
