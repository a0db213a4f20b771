-- QSL cards, and whether their pictures are sent.

ALTER TABLE club ADD COLUMN pictures TEXT CHECK (pictures IN ('on', 'off'));
ALTER TABLE club ADD COLUMN pictures_set_at INTEGER NOT NULL DEFAULT 0;

CREATE TABLE cards (
    member_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
    part INTEGER NOT NULL CHECK (part IN (0, 1)),
    content BLOB CHECK (length(content) BETWEEN 1 AND 307200),
    set_at INTEGER NOT NULL,
    removed_at INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (member_id, part)
) STRICT;

CREATE INDEX cards_removed ON cards (removed_at) WHERE removed_at > 0;

CREATE INDEX qsos_by_confirmation ON qsos (member_id, cross_confirmed_at, id) WHERE confirmed_by IS NOT NULL;
