-- Pages for everybody read no log: they are answered from what each write counts, and from indexes.

ALTER TABLE spots ADD COLUMN callsigns TEXT GENERATED ALWAYS AS (
    replace(replace(replace(upper(ifnull(dx_callsign, '') || '|' || spotter), ' ', ''), '-', ''), '.', '')) VIRTUAL;
ALTER TABLE spots ADD COLUMN spotter_key TEXT GENERATED ALWAYS AS (
    replace(replace(replace(upper(spotter), ' ', ''), '-', ''), '.', '')) VIRTUAL;
CREATE INDEX spots_by_spotter ON spots (spotter_key, id);
CREATE INDEX spots_to_filter ON spots (id, spotted_at, band, mode, frequency, callsigns);

CREATE TABLE page_counts (
    member_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
    kind INTEGER NOT NULL CHECK (kind BETWEEN 0 AND 2),
    value INTEGER NOT NULL,
    qsos INTEGER NOT NULL CHECK (qsos >= 0),
    PRIMARY KEY (member_id, kind, value)
) STRICT, WITHOUT ROWID;

CREATE TABLE page_worked (
    member_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
    worked_key TEXT NOT NULL,
    qso_id INTEGER NOT NULL,
    PRIMARY KEY (member_id, worked_key, qso_id)
) STRICT, WITHOUT ROWID;

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

INSERT INTO page_counts (member_id, kind, value, qsos)
SELECT member_id, kind, value, count(*) FROM page_parts
WHERE member_id IN (SELECT id FROM members WHERE is_station = 1)
GROUP BY member_id, kind, value;

INSERT INTO page_worked (member_id, worked_key, qso_id)
SELECT member_id, worked_key, id FROM qsos
WHERE member_id IN (SELECT id FROM members WHERE is_station = 1) AND worked_key IS NOT NULL;
