-- What the club says of itself.

-- name: read_club
SELECT name, text, link, contact, legal, address, numbers, set_at FROM club WHERE id = 1;

-- name: update_club
-- The later decision stays.
UPDATE club SET name = :name, text = :text, link = :link, contact = :contact, legal = :legal, address = :address,
    numbers = :numbers, set_at = :set_at
WHERE id = 1 AND set_at <= :set_at;
