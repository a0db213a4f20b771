-- Members that were deleted, so that restoring a backup from before leaves them deleted. Nothing of a member
-- but the number is kept.
CREATE TABLE deleted_members (
    -- the member's; never used twice
    id INTEGER PRIMARY KEY,
    -- when the member was added, which tells another logbook's member of the same number apart
    created_at INTEGER NOT NULL
) STRICT;
