-- A merge of two QSOs is an act of its own.

DROP TRIGGER storage_of_acts_insert;
DROP TRIGGER storage_of_acts_delete;
DROP INDEX acts_by_age;
ALTER TABLE acts RENAME TO old_acts;

CREATE TABLE acts (
    member_id INTEGER NOT NULL REFERENCES members (id),
    number INTEGER NOT NULL,
    last INTEGER NOT NULL CHECK (last >= number),
    ordinal INTEGER NOT NULL,
    writer INTEGER NOT NULL CHECK (writer BETWEEN 0 AND 3),
    writer_number INTEGER NOT NULL,
    label TEXT,
    work INTEGER NOT NULL CHECK (work BETWEEN 0 AND 4),
    subject TEXT CHECK (length(subject) BETWEEN 1 AND 200),
    takes_back INTEGER,
    began_at INTEGER NOT NULL,
    ended_at INTEGER NOT NULL,
    created INTEGER NOT NULL DEFAULT 0,
    changed INTEGER NOT NULL DEFAULT 0,
    deleted INTEGER NOT NULL DEFAULT 0,
    revived INTEGER NOT NULL DEFAULT 0,
    first_created INTEGER,
    last_created INTEGER,
    states INTEGER NOT NULL DEFAULT 0,
    states_before INTEGER NOT NULL,
    pruned INTEGER NOT NULL DEFAULT 0 CHECK (pruned IN (0, 1)),
    operator TEXT CHECK (length(operator) BETWEEN 1 AND 20),
    PRIMARY KEY (member_id, number)
) STRICT, WITHOUT ROWID;

INSERT INTO acts (member_id, number, last, ordinal, writer, writer_number, label, work, subject, takes_back, began_at, ended_at,
    created, changed, deleted, revived, first_created, last_created, states, states_before, pruned, operator)
SELECT member_id, number, last, ordinal, writer, writer_number, label, work, subject, takes_back, began_at, ended_at,
    created, changed, deleted, revived, first_created, last_created, states, states_before, pruned, operator
FROM old_acts;

DROP TABLE old_acts;

CREATE INDEX acts_by_age ON acts (began_at);

CREATE TRIGGER storage_of_acts_insert AFTER INSERT ON acts
BEGIN
    UPDATE storage SET history = history + 150 WHERE member_id = NEW.member_id;
END;

CREATE TRIGGER storage_of_acts_delete AFTER DELETE ON acts
BEGIN
    UPDATE storage SET history = history - 150 WHERE member_id = OLD.member_id;
END;
