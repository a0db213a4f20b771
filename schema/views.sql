-- QSOs in words, for a person with the sqlite3 shell. The view is made anew after migrations, which drop it where it
-- is in their way. {readable} is written in from the field table: the fields that are stored, named as in the API.
DROP VIEW IF EXISTS readable_qsos;
CREATE VIEW readable_qsos AS
SELECT
    id, (SELECT callsign FROM members WHERE members.id = member_id) AS member,
    coalesce(operator_callsign, (SELECT callsign FROM members WHERE members.id = member_id)) AS station_callsign,
    {readable}
FROM qsos;
