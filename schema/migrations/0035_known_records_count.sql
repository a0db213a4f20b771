-- What is known of records goes with its member, and counts as stored in addition to QSOs.

ALTER TABLE known_records RENAME TO old_records;
ALTER TABLE program_ids RENAME TO old_ids;
DROP INDEX known_records_by_qso;
DROP INDEX known_records_long;
DROP INDEX program_ids_by_qso;

CREATE TABLE known_records (
    member_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
    at INTEGER NOT NULL,
    mark INTEGER NOT NULL,
    source TEXT NOT NULL CHECK (length(source) BETWEEN 1 AND 32),
    qso_id INTEGER NOT NULL,
    until INTEGER CHECK (until > at),
    said BLOB NOT NULL CHECK (length(said) <= 400),
    PRIMARY KEY (member_id, at, mark, source)
) STRICT, WITHOUT ROWID;

CREATE TABLE program_ids (
    member_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
    program TEXT NOT NULL CHECK (length(program) BETWEEN 1 AND 32),
    id TEXT NOT NULL CHECK (length(id) BETWEEN 1 AND 64),
    qso_id INTEGER NOT NULL,
    PRIMARY KEY (member_id, program, id)
) STRICT, WITHOUT ROWID;

INSERT INTO known_records SELECT * FROM old_records WHERE member_id IN (SELECT id FROM members);
INSERT INTO program_ids SELECT * FROM old_ids WHERE member_id IN (SELECT id FROM members);
DROP TABLE old_records;
DROP TABLE old_ids;

CREATE INDEX known_records_by_qso ON known_records (member_id, qso_id);
CREATE INDEX known_records_long ON known_records (member_id) WHERE until IS NOT NULL;
CREATE INDEX program_ids_by_qso ON program_ids (member_id, qso_id, program);

ALTER TABLE storage ADD COLUMN known INTEGER NOT NULL DEFAULT 0;

UPDATE storage
SET known = (SELECT ifnull(sum(100 + length(said)), 0) FROM known_records
    WHERE known_records.member_id = storage.member_id)
    + (SELECT ifnull(sum(60 + length(id)), 0) FROM program_ids WHERE program_ids.member_id = storage.member_id);

CREATE TRIGGER storage_of_known_records_insert AFTER INSERT ON known_records
BEGIN
    UPDATE storage SET known = known + (100 + length(NEW.said)) WHERE member_id = NEW.member_id;
END;

CREATE TRIGGER storage_of_known_records_delete AFTER DELETE ON known_records
BEGIN
    UPDATE storage SET known = known - (100 + length(OLD.said)) WHERE member_id = OLD.member_id;
END;

CREATE TRIGGER storage_of_known_records_update AFTER UPDATE OF said ON known_records
BEGIN
    UPDATE storage SET known = known + (length(NEW.said) - length(OLD.said)) WHERE member_id = NEW.member_id;
END;

CREATE TRIGGER storage_of_program_ids_insert AFTER INSERT ON program_ids
BEGIN
    UPDATE storage SET known = known + (60 + length(NEW.id)) WHERE member_id = NEW.member_id;
END;

CREATE TRIGGER storage_of_program_ids_delete AFTER DELETE ON program_ids
BEGIN
    UPDATE storage SET known = known - (60 + length(OLD.id)) WHERE member_id = OLD.member_id;
END;
