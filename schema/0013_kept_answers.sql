-- What takes long to count in a large log, kept as it was answered until the log changes. All of it can be counted again,
-- so rows may be deleted at any time.

CREATE TABLE kept_answers (
    member_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
    -- 0 statistics, 1 awards, 2 map, 3 what was worked
    kind INTEGER NOT NULL CHECK (kind >= 0),
    -- what it was made of: the log as it was after this write, in this epoch of the logbook
    log_revision INTEGER NOT NULL,
    log_epoch INTEGER NOT NULL,
    -- the member's
    locator TEXT NOT NULL,
    -- which program made it, with which tables of divisions
    made_by TEXT NOT NULL,
    -- of the content (src/base/text.h, text_hash)
    checksum INTEGER NOT NULL,
    content TEXT NOT NULL CHECK (length(content) <= 262144),
    PRIMARY KEY (member_id, kind)
) STRICT, WITHOUT ROWID;
