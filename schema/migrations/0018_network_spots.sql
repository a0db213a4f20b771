-- Spots of other DX clusters, and which clusters.

ALTER TABLE club ADD COLUMN clusters TEXT CHECK (length(clusters) BETWEEN 1 AND 200);
ALTER TABLE club ADD COLUMN clusters_set_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE club ADD COLUMN station TEXT CHECK (length(station) BETWEEN 1 AND 20);
ALTER TABLE club ADD COLUMN station_set_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE club ADD COLUMN filter TEXT CHECK (length(filter) BETWEEN 1 AND 80);
ALTER TABLE club ADD COLUMN filter_set_at INTEGER NOT NULL DEFAULT 0;

CREATE TABLE network_spots (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    source TEXT NOT NULL,
    spotter TEXT NOT NULL,
    callsign TEXT NOT NULL,
    frequency INTEGER NOT NULL,
    comment TEXT NOT NULL,
    spotted_at INTEGER NOT NULL
) STRICT;

CREATE INDEX network_spots_by_callsign ON network_spots (callsign, frequency, spotted_at);
CREATE INDEX network_spots_by_time ON network_spots (spotted_at, id);

CREATE TABLE announcers (
    member_id INTEGER PRIMARY KEY REFERENCES members (id) ON DELETE CASCADE,
    since INTEGER NOT NULL
) STRICT;
