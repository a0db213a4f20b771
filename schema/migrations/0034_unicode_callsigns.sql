-- Callsigns are compared without case in all letters, not only in those of ASCII. The program fills ..._unicode when it
-- reviews the members' logs; peers tell their claims again. Two members whose callsigns are now equal stay.

DROP TRIGGER members_differ_on_insert;
DROP TRIGGER members_differ_on_update;
DROP TRIGGER members_review_on_insert;
DROP TRIGGER members_review_on_rename;
DROP TRIGGER members_review_on_delete;
DROP INDEX members_by_callsign_key;
ALTER TABLE members DROP COLUMN callsign_key;
ALTER TABLE members ADD COLUMN callsign_unicode TEXT;
ALTER TABLE members ADD COLUMN callsign_key TEXT GENERATED ALWAYS AS (
    ifnull(callsign_unicode, replace(replace(replace(upper(callsign), ' ', ''), '-', ''), '.', ''))) VIRTUAL;
CREATE INDEX members_by_callsign_key ON members (callsign_key);

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

CREATE TRIGGER members_review_on_insert AFTER INSERT ON members
BEGIN
    INSERT OR REPLACE INTO reviews (callsign_key, before)
    SELECT NEW.callsign_key, last_stamp FROM logbook;
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
DROP VIEW page_parts;
DROP INDEX qsos_by_contact;
DROP INDEX qsos_by_operator;
DROP INDEX qsos_under_callsign;
ALTER TABLE qsos DROP COLUMN worked_key;
ALTER TABLE qsos DROP COLUMN operator_key;
ALTER TABLE qsos ADD COLUMN worked_unicode TEXT;
ALTER TABLE qsos ADD COLUMN operator_unicode TEXT;
ALTER TABLE qsos ADD COLUMN worked_key TEXT GENERATED ALWAYS AS (
    CASE WHEN worked_unicode IS NOT NULL THEN worked_unicode
        WHEN callsign_worked GLOB '*[- .a-z]*'
            THEN replace(replace(replace(upper(callsign_worked), ' ', ''), '-', ''), '.', '')
        ELSE callsign_worked END) VIRTUAL;
ALTER TABLE qsos ADD COLUMN operator_key TEXT GENERATED ALWAYS AS (
    CASE WHEN operator_unicode IS NOT NULL THEN operator_unicode
        WHEN operator_callsign GLOB '*[- .a-z]*'
            THEN replace(replace(replace(upper(operator_callsign), ' ', ''), '-', ''), '.', '')
        ELSE operator_callsign END) VIRTUAL;
CREATE INDEX qsos_by_contact
ON qsos (member_id, slot, worked_key, operator_key, contact_kind, slot_ms);
CREATE INDEX qsos_by_operator ON qsos (worked_key, slot, operator_key, member_id)
WHERE operator_callsign IS NOT NULL AND contact_kind >= 0;
CREATE INDEX qsos_under_callsign ON qsos (operator_key)
WHERE operator_callsign IS NOT NULL AND contact_kind >= 0;

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

DROP INDEX spots_by_spotter;
DROP INDEX spots_to_filter;
ALTER TABLE spots DROP COLUMN callsigns;
ALTER TABLE spots DROP COLUMN spotter_key;
ALTER TABLE spots ADD COLUMN dx_unicode TEXT;
ALTER TABLE spots ADD COLUMN spotter_unicode TEXT;
ALTER TABLE spots ADD COLUMN callsigns TEXT GENERATED ALWAYS AS (
        ifnull(dx_unicode, replace(replace(replace(upper(ifnull(dx_callsign, '')), ' ', ''), '-', ''), '.', ''))
            || '|' || ifnull(spotter_unicode, replace(replace(replace(upper(spotter), ' ', ''), '-', ''), '.', ''))) VIRTUAL;
ALTER TABLE spots ADD COLUMN spotter_key TEXT GENERATED ALWAYS AS (
        ifnull(spotter_unicode, replace(replace(replace(upper(spotter), ' ', ''), '-', ''), '.', ''))) VIRTUAL;
CREATE INDEX spots_by_spotter ON spots (spotter_key, id);
CREATE INDEX spots_to_filter ON spots (id, spotted_at, band, mode, frequency, callsigns);

UPDATE logbook SET claims_epoch = claims_epoch + 1
WHERE EXISTS (SELECT 1 FROM claims WHERE station_key GLOB '*[^ -~]*' OR worked_key GLOB '*[^ -~]*')
    OR EXISTS (SELECT 1 FROM claimed WHERE worked_key GLOB '*[^ -~]*');

INSERT OR REPLACE INTO reviews (member_id, before)
SELECT members.id, last_stamp + 1 FROM members CROSS JOIN logbook
WHERE callsign GLOB '*[^ -~]*' OR EXISTS (SELECT 1 FROM qsos WHERE member_id = members.id
    AND (callsign_worked GLOB '*[^ -~]*' OR operator_callsign GLOB '*[^ -~]*'));
