-- QSL cards. A part is the design (0) or the picture (1).

-- name: set_card
INSERT INTO cards (member_id, part, content, set_at) VALUES (:member_id, :part, :content, :set_at)
ON CONFLICT (member_id, part) DO UPDATE SET content = excluded.content, set_at = excluded.set_at;

-- name: measure_card
SELECT ifnull(sum(length(content)), 0) AS bytes FROM cards WHERE member_id = :member_id AND part = :part;

-- name: remove_card
-- Removes both parts if :part is NULL.
UPDATE cards SET content = NULL, set_at = :set_at, removed_at = :set_at
WHERE member_id = :member_id AND (:part IS NULL OR part = :part) AND content IS NOT NULL;

-- name: read_card
-- Reads the member's card, or the card of the member whose QSO confirms :qso_id.
SELECT content, set_at FROM cards
WHERE part = :part AND content IS NOT NULL AND member_id = iif(:qso_id IS NULL, :member_id, (
    SELECT other.member_id FROM qsos AS mine JOIN qsos AS other ON other.id = mine.confirmed_by
    WHERE mine.id = :qso_id AND mine.member_id = :member_id));

-- name: list_cards
-- Lists QSOs that another member's QSO confirms, with that member's card, latest confirmation first.
SELECT mine.id, mine.cross_confirmed_at, mine.paired_at, design.content AS design, picture.set_at AS picture_set_at
FROM qsos AS mine INDEXED BY qsos_by_confirmation JOIN qsos AS other ON other.id = mine.confirmed_by
    LEFT JOIN cards AS design ON design.member_id = other.member_id AND design.part = 0
    LEFT JOIN cards AS picture ON picture.member_id = other.member_id AND picture.part = 1
        AND picture.content IS NOT NULL
WHERE mine.member_id = :member_id AND mine.confirmed_by IS NOT NULL
    AND (mine.cross_confirmed_at, mine.id) < (:before, :before_id)
ORDER BY mine.cross_confirmed_at DESC, mine.id DESC
LIMIT :limit;

-- name: find_card
-- Finds one QSO's row in the list of list_cards.
SELECT mine.id, mine.cross_confirmed_at, mine.paired_at, design.content AS design, picture.set_at AS picture_set_at
FROM qsos AS mine JOIN qsos AS other ON other.id = mine.confirmed_by
    LEFT JOIN cards AS design ON design.member_id = other.member_id AND design.part = 0
    LEFT JOIN cards AS picture ON picture.member_id = other.member_id AND picture.part = 1
        AND picture.content IS NOT NULL
WHERE mine.id = :id AND mine.member_id = :member_id;

-- name: count_new_cards
-- Counts new cards. A card arrives with the other member's QSO, even if a peer has already confirmed the member's QSO.
-- The write of the other QSO has also changed the member's own QSO.
SELECT count(*) AS new_cards FROM qsos INDEXED BY qsos_by_change
WHERE member_id = :member_id AND synced_at > :since AND confirmed_by IS NOT NULL AND paired_at > :since;

-- name: count_cards
SELECT count(*) AS cards FROM qsos INDEXED BY qsos_by_confirmation
WHERE member_id = :member_id AND confirmed_by IS NOT NULL;

-- name: list_removed_cards
SELECT member_id, created_at, part, removed_at FROM cards JOIN members ON members.id = member_id WHERE removed_at > 0;

-- name: restore_removed_card
-- Used by a restore: records that the member or an operator has removed a card since the backup, so that the card is
-- not restored.
INSERT INTO cards (member_id, part, set_at, removed_at)
SELECT id, :part, :removed_at, :removed_at FROM members WHERE id = :member_id AND created_at = :created_at
ON CONFLICT (member_id, part) DO UPDATE SET
    content = iif(set_at < excluded.removed_at, NULL, content), set_at = max(set_at, excluded.set_at),
    removed_at = max(removed_at, excluded.removed_at);
