-- How far the counting of a very large log has come, so that after a change it goes on from there. As of kept_answers,
-- rows may be deleted at any time.

CREATE TABLE kept_counts (
    member_id INTEGER PRIMARY KEY REFERENCES members (id) ON DELETE CASCADE,
    log_epoch INTEGER NOT NULL,
    -- the member's
    locator TEXT NOT NULL,
    -- which program made it, with which tables of divisions
    made_by TEXT NOT NULL,
    -- counted are the QSOs with no later synced_at: so many. A QSO that changes gets a later one, so that as long as
    -- there are as many they are the same
    until INTEGER NOT NULL,
    qsos INTEGER NOT NULL,
    -- of the content
    checksum INTEGER NOT NULL,
    -- as it is in the program's memory (src/base/packed.h)
    content BLOB NOT NULL CHECK (length(content) <= 8388608)
) STRICT;
