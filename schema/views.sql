-- QSOs in words, for a person with the sqlite3 shell. The view is made anew after migrations, which drop it where it
-- is in their way. {readable} is written in from the field table: the fields that are stored, named as in the API.
DROP VIEW IF EXISTS readable_qsos;
CREATE VIEW readable_qsos AS
SELECT
    qsos.id, members.callsign AS member,
    coalesce(qsos.operator_callsign, members.callsign) AS station_callsign,
    {readable}
FROM qsos JOIN members ON members.id = qsos.member_id;
