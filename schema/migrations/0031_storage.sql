-- How much is stored for each member in addition to QSOs.

CREATE TABLE storage (
    member_id INTEGER PRIMARY KEY REFERENCES members (id) ON DELETE CASCADE,
    history INTEGER NOT NULL DEFAULT 0,
    leftovers INTEGER NOT NULL DEFAULT 0,
    polo INTEGER NOT NULL DEFAULT 0,
    cards INTEGER NOT NULL DEFAULT 0
) STRICT;

INSERT INTO storage (member_id, history, leftovers, polo, cards)
SELECT id,
    (SELECT ifnull(sum(40 + ifnull(length(state), 0)), 0) FROM former WHERE member_id = members.id)
        + 150 * (SELECT count(*) FROM acts WHERE member_id = members.id),
    (SELECT ifnull(sum(30 + length(fields)), 0) FROM leftovers WHERE member_id = members.id),
    (SELECT ifnull(sum(iif(edit IS NOT NULL AND body = '', 0, 100 + bytes)), 0)
    FROM polo_records WHERE member_id = members.id),
    (SELECT ifnull(sum(40 + length(content)), 0) FROM cards WHERE member_id = members.id)
FROM members;

CREATE TRIGGER storage_begin AFTER INSERT ON members
BEGIN
    INSERT INTO storage (member_id) VALUES (NEW.id);
END;

CREATE TRIGGER storage_of_acts_insert AFTER INSERT ON acts
BEGIN
    UPDATE storage SET history = history + 150 WHERE member_id = NEW.member_id;
END;

CREATE TRIGGER storage_of_acts_delete AFTER DELETE ON acts
BEGIN
    UPDATE storage SET history = history - 150 WHERE member_id = OLD.member_id;
END;

CREATE TRIGGER storage_of_former_insert AFTER INSERT ON former
BEGIN
    UPDATE storage SET history = history + (40 + ifnull(length(NEW.state), 0)) WHERE member_id = NEW.member_id;
END;

CREATE TRIGGER storage_of_former_delete AFTER DELETE ON former
BEGIN
    UPDATE storage SET history = history - (40 + ifnull(length(OLD.state), 0)) WHERE member_id = OLD.member_id;
END;

CREATE TRIGGER storage_of_leftovers_insert AFTER INSERT ON leftovers
BEGIN
    UPDATE storage SET leftovers = leftovers + (30 + length(NEW.fields)) WHERE member_id = NEW.member_id;
END;

CREATE TRIGGER storage_of_leftovers_delete AFTER DELETE ON leftovers
BEGIN
    UPDATE storage SET leftovers = leftovers - (30 + length(OLD.fields)) WHERE member_id = OLD.member_id;
END;

CREATE TRIGGER storage_of_leftovers_update AFTER UPDATE OF fields ON leftovers
BEGIN
    UPDATE storage SET leftovers = leftovers + (30 + length(NEW.fields))
        - (30 + length(OLD.fields))
    WHERE member_id = NEW.member_id;
END;

CREATE TRIGGER storage_of_polo_records_insert AFTER INSERT ON polo_records
BEGIN
    UPDATE storage SET polo = polo + iif(NEW.edit IS NOT NULL AND NEW.body = '', 0, 100 + NEW.bytes)
    WHERE member_id = NEW.member_id;
END;

CREATE TRIGGER storage_of_polo_records_delete AFTER DELETE ON polo_records
BEGIN
    UPDATE storage SET polo = polo - iif(OLD.edit IS NOT NULL AND OLD.body = '', 0, 100 + OLD.bytes)
    WHERE member_id = OLD.member_id;
END;

CREATE TRIGGER storage_of_polo_records_update AFTER UPDATE OF edit, bytes, body ON polo_records
BEGIN
    UPDATE storage SET polo = polo + iif(NEW.edit IS NOT NULL AND NEW.body = '', 0, 100 + NEW.bytes)
        - iif(OLD.edit IS NOT NULL AND OLD.body = '', 0, 100 + OLD.bytes)
    WHERE member_id = NEW.member_id;
END;

CREATE TRIGGER storage_of_cards_insert AFTER INSERT ON cards
BEGIN
    UPDATE storage SET cards = cards + ifnull(40 + length(NEW.content), 0) WHERE member_id = NEW.member_id;
END;

CREATE TRIGGER storage_of_cards_delete AFTER DELETE ON cards
BEGIN
    UPDATE storage SET cards = cards - ifnull(40 + length(OLD.content), 0) WHERE member_id = OLD.member_id;
END;

CREATE TRIGGER storage_of_cards_update AFTER UPDATE OF content ON cards
BEGIN
    UPDATE storage SET cards = cards + ifnull(40 + length(NEW.content), 0)
        - ifnull(40 + length(OLD.content), 0)
    WHERE member_id = NEW.member_id;
END;
