-- Cross-confirmation finds the other side of a contact by columns that say all that decides, instead of by
-- a hash of some of it: what the search costs no longer grows with what somebody has stored.
--
-- Virtual columns take no space in the rows; their values are in the index.

DROP INDEX qsos_by_match_key;
ALTER TABLE qsos DROP COLUMN match_key;

-- time in units of 15 minutes; QSOs at most 15 minutes apart are in the same or in neighbouring ones
ALTER TABLE qsos ADD COLUMN slot INTEGER GENERATED ALWAYS AS (qso_at / 900000) VIRTUAL;
-- ms in the slot, which take less space in the index than qso_at
ALTER TABLE qsos ADD COLUMN slot_ms INTEGER GENERATED ALWAYS AS (qso_at % 900000) VIRTUAL;
-- the callsigns in the form that is compared: upper case, without spaces, hyphens and dots
ALTER TABLE qsos ADD COLUMN worked_key TEXT GENERATED ALWAYS AS (
    replace(replace(replace(upper(callsign_worked), ' ', ''), '-', ''), '.', '')) VIRTUAL;
ALTER TABLE qsos ADD COLUMN operator_key TEXT GENERATED ALWAYS AS (
    replace(replace(replace(upper(operator_callsign), ' ', ''), '-', ''), '.', '')) VIRTUAL;
-- as mode, with USB and LSB as SSB
ALTER TABLE qsos ADD COLUMN mode_family INTEGER GENERATED ALWAYS AS (
    CASE WHEN mode IN (3, 4) THEN 2 ELSE mode END) VIRTUAL;
ALTER TABLE members ADD COLUMN callsign_key TEXT GENERATED ALWAYS AS (
    replace(replace(replace(upper(callsign), ' ', ''), '-', ''), '.', '')) VIRTUAL;

-- Only QSOs that can be confirmed and are still free. The slot comes first, so that what is logged at one
-- time lies in one place; a channel stands for its band.
CREATE INDEX qsos_by_contact
ON qsos (slot, worked_key, operator_key, member_id, channel, mode_family, slot_ms)
WHERE confirmed_by IS NULL AND worked_key <> '' AND qso_status IS NOT 0;

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
