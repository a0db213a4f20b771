-- What was deleted, so that a client learns of a deletion for the price of that deletion instead of
-- reading every id.

-- Every deletion from a log after this stamp has its tombstone, or its clientId is in use again. What was
-- deleted before this migration left none.
ALTER TABLE logbook ADD COLUMN deletions_since INTEGER NOT NULL DEFAULT 0;
UPDATE logbook SET deletions_since = last_stamp;

-- The same for one member, where it is later.
ALTER TABLE members ADD COLUMN deletions_since INTEGER NOT NULL DEFAULT 0;

CREATE TABLE tombstones (
    -- that the QSO had, which is used no second time
    id INTEGER PRIMARY KEY,
    member_id INTEGER NOT NULL REFERENCES members (id),
    -- stamp of the deletion
    deleted_at INTEGER NOT NULL,
    client_id BLOB CHECK (length(client_id) = 16)
) STRICT;

-- The listing, in the order of changes.
CREATE INDEX tombstones_by_change ON tombstones (member_id, deleted_at, id);

-- For a clientId that comes back.
CREATE INDEX tombstones_by_client_id ON tombstones (client_id) WHERE client_id IS NOT NULL;

-- The oldest go first.
CREATE INDEX tombstones_by_age ON tombstones (deleted_at);
