-- The log as its owner looks at it: by time, and by the callsign worked.

-- in the order of time; whether a QSO is confirmed stands in the index, for counting
CREATE INDEX qsos_by_time ON qsos (member_id, qso_at, id, confirmed_by);

-- a callsign, or how it begins, in the form that is compared
CREATE INDEX qsos_by_worked ON qsos (member_id, worked_key, qso_at);
