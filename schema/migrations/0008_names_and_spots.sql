-- What keeps members from seeing, and from disturbing, each other through what everybody can calculate or fill.

-- Names the QSOs that come without a clientId: a namespace of UUIDs that nobody else knows. NULL: none was
-- needed yet
ALTER TABLE members ADD COLUMN client_id_secret BLOB CHECK (length(client_id_secret) = 16);

-- When each member published spots in the last minute, also those that were deleted since.
CREATE TABLE spot_times (
    member_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
    spotted_at INTEGER NOT NULL
) STRICT;

CREATE INDEX spot_times_by_member ON spot_times (member_id, spotted_at);
