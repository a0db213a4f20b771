-- What each log was before it was changed, by whom, and when, so that a member can take changes back.
--
-- An edit is what one transaction, or several of one writer, wrote into a log, under a number of that log. An act is a
-- run of edits by one writer, with consecutive numbers. A row of qsos says which edit its content is of; what the edit
-- replaced is in former. What is here begins with this migration: older content is of edit 0.

-- the edit whose content this is
ALTER TABLE qsos ADD COLUMN edit INTEGER NOT NULL DEFAULT 0;

-- the last number that an edit of this log was given; never used twice, except after a restore
ALTER TABLE members ADD COLUMN last_edit INTEGER NOT NULL DEFAULT 0;

CREATE TABLE acts (
    member_id INTEGER NOT NULL REFERENCES members (id),
    -- its first edit
    number INTEGER NOT NULL,
    -- its last edit
    last INTEGER NOT NULL CHECK (last >= number),
    -- counts the acts of a member
    ordinal INTEGER NOT NULL,
    -- 0 the operator, 1 an API key, 2 an upload token, 3 a session
    writer INTEGER NOT NULL CHECK (writer BETWEEN 0 AND 3),
    -- of the key, token or session; 0: the operator
    writer_number INTEGER NOT NULL,
    -- the device of a session, whose row goes when it ends
    label TEXT,
    -- 0 synchronisation, 1 an import, 2 taking back, 3 a restore
    work INTEGER NOT NULL CHECK (work BETWEEN 0 AND 3),
    -- the file that was imported, or who was taken back
    subject TEXT CHECK (length(subject) BETWEEN 1 AND 200),
    -- the one act that this one took back
    takes_back INTEGER,
    -- stamps of its first and last write
    began_at INTEGER NOT NULL,
    ended_at INTEGER NOT NULL,
    -- QSOs: new ones, changes, deletions, and those that came back
    created INTEGER NOT NULL DEFAULT 0,
    changed INTEGER NOT NULL DEFAULT 0,
    deleted INTEGER NOT NULL DEFAULT 0,
    revived INTEGER NOT NULL DEFAULT 0,
    -- among these ids are all that it created; NULL: it created none
    first_created INTEGER,
    last_created INTEGER,
    -- rows of former that it made, and that all acts of the member before it made
    states INTEGER NOT NULL DEFAULT 0,
    states_before INTEGER NOT NULL,
    -- 1: it is too old to be taken back; its rows are being removed
    pruned INTEGER NOT NULL DEFAULT 0 CHECK (pruned IN (0, 1)),
    PRIMARY KEY (member_id, number)
) STRICT, WITHOUT ROWID;

-- The oldest go first.
CREATE INDEX acts_by_age ON acts (began_at);

-- What an edit replaced.
CREATE TABLE former (
    member_id INTEGER NOT NULL,
    edit INTEGER NOT NULL,
    qso_id INTEGER NOT NULL,
    -- ms since its act began
    at INTEGER NOT NULL,
    -- whose content it replaced; 0: that from before the history, or none
    previous_edit INTEGER NOT NULL,
    -- of taking back: whose content it brought back; 0 likewise. NULL: the content is its own
    restored_edit INTEGER,
    -- the content that it replaced (src/store/state.c); NULL: the QSO was not there
    state BLOB,
    PRIMARY KEY (member_id, edit, qso_id)
) STRICT, WITHOUT ROWID;

-- Where a QSO was moved to the content of another edit. All else that happened to it is found from there, and from
-- what it is now, by previous_edit, so that ordinary changes need no index.
CREATE INDEX former_of_undo ON former (member_id, qso_id, edit, previous_edit) WHERE restored_edit IS NOT NULL;

-- QSOs that are not there any more, as long as they can come back.
CREATE TABLE gone (
    member_id INTEGER NOT NULL,
    qso_id INTEGER NOT NULL,
    -- by which edit it is not there; 0: because its creation was taken back
    edit INTEGER NOT NULL,
    -- the edit that removed it last, which has its content
    removed_by INTEGER NOT NULL,
    client_id BLOB CHECK (length(client_id) = 16),
    PRIMARY KEY (member_id, qso_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX gone_by_removal ON gone (member_id, removed_by, qso_id);

-- For a clientId that another QSO has now, or had since.
CREATE INDEX gone_by_client_id ON gone (client_id) WHERE client_id IS NOT NULL;

-- QSOs that came back after they were deleted with their spot: they were published once, and are not again.
CREATE TABLE ended_spots (
    qso_id INTEGER PRIMARY KEY REFERENCES qsos (id) ON DELETE CASCADE
) STRICT;
