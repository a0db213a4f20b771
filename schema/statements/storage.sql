-- The bytes that are stored for members in addition to their QSOs (see the table "storage").

-- name: read_storage
SELECT history, leftovers, polo, cards, known FROM storage WHERE member_id = :member_id;

-- name: list_all_storage
-- Lists members, the largest users of storage first.
SELECT callsign, history, leftovers, polo, cards, known
FROM storage JOIN members ON members.id = member_id
WHERE history + leftovers + polo + cards + known > 0
ORDER BY history + leftovers + polo + cards + known DESC, callsign
LIMIT :limit;

-- part: each_member
FROM members LEFT JOIN storage ON storage.member_id = members.id

-- name: check_storage
SELECT printf('%d bytes of %s are counted for member %s, but %d are stored', counted, kind, callsign, found) AS problem
FROM (
    SELECT callsign, 'history' AS kind, storage.history AS counted,
        (SELECT ifnull(sum(40 + ifnull(length(state), 0)), 0) FROM former WHERE former.member_id = members.id)
            + 150 * (SELECT count(*) FROM acts WHERE acts.member_id = members.id) AS found
    {each_member}
    UNION ALL
    SELECT callsign, 'extra fields' AS kind, storage.leftovers AS counted,
        (SELECT ifnull(sum(30 + length(fields)), 0) FROM leftovers WHERE leftovers.member_id = members.id) AS found
    {each_member}
    UNION ALL
    SELECT callsign, 'PoLo''s records' AS kind, storage.polo AS counted,
        (SELECT ifnull(sum(iif(edit IS NOT NULL AND body = '', 0, 100 + bytes)), 0)
            FROM polo_records WHERE polo_records.member_id = members.id) AS found
    {each_member}
    UNION ALL
    SELECT callsign, 'QSL cards' AS kind, storage.cards AS counted,
        (SELECT ifnull(sum(40 + length(content)), 0) FROM cards WHERE cards.member_id = members.id) AS found
    {each_member}
    UNION ALL
    SELECT callsign, 'known records' AS kind, storage.known AS counted,
        (SELECT ifnull(sum(100 + length(said)), 0) FROM known_records WHERE known_records.member_id = members.id)
            + (SELECT ifnull(sum(60 + length(program_ids.id)), 0) FROM program_ids
                WHERE program_ids.member_id = members.id) AS found
    {each_member}) AS kinds
WHERE counted IS NOT found;
