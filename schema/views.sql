-- QSOs in a readable form, for a person who uses the sqlite3 shell. The view is created again after migrations, which
-- drop it if it prevents a change. {readable} is filled in from the field table: the stored fields, named as in the
-- API.
DROP VIEW IF EXISTS readable_qsos;
CREATE VIEW readable_qsos AS
SELECT
    id, (SELECT callsign FROM members WHERE members.id = member_id) AS member,
    coalesce(operator_callsign, (SELECT callsign FROM members WHERE members.id = member_id)) AS station_callsign,
    {readable}
FROM qsos;
