-- Cross-confirmation. The other side of a contact between :station and :worked is a QSO that :worked logged with
-- :station. The index contains all conditions, in the order of the terms, so each statement visits only one row.

-- part: contacts
FROM qsos INDEXED BY qsos_by_contact
WHERE member_id = :member_id AND slot = :slot AND worked_key = :station AND operator_key IS :operator
    AND contact_kind = :contact_kind

-- name: has_contact
-- Checks whether any QSO could be the other side, which makes a further search useful.
SELECT 1 FROM qsos INDEXED BY qsos_by_contact
WHERE member_id = :member_id AND slot = :slot AND worked_key = :station
LIMIT 1;

-- name: list_contacts
-- Finds the QSOs that are nearest in time: the first QSO that is not before :at, and the last QSO that is not after
-- :at. If several QSOs have the same time, the oldest counts.
SELECT id, qso_at FROM (SELECT id, slot * 7200000 + slot_ms AS qso_at {contacts}
        AND slot_ms BETWEEN :at - :slot * 7200000 AND :to - :slot * 7200000
    ORDER BY slot_ms, id LIMIT 1) AS one
UNION ALL
SELECT id, qso_at FROM (SELECT id, slot * 7200000 + slot_ms AS qso_at {contacts}
        AND slot_ms = (SELECT max(slot_ms) {contacts}
            AND slot_ms BETWEEN :from - :slot * 7200000 AND :at - :slot * 7200000)
    ORDER BY id LIMIT 1) AS one;

-- name: has_operator
-- Checks whether anybody has a QSO with this station, at any time, that could be the other side.
SELECT 1 FROM qsos INDEXED BY qsos_by_operator
WHERE worked_key = :station AND operator_callsign IS NOT NULL AND contact_kind >= 0
LIMIT 1;

-- name: find_next_operator
-- Finds the next member with a matching QSO under a callsign that belongs to no member.
SELECT member_id, active FROM qsos INDEXED BY qsos_by_operator JOIN members ON members.id = member_id
WHERE worked_key = :station AND slot = :slot AND operator_key = :operator AND member_id > :after
    AND operator_callsign IS NOT NULL AND contact_kind >= 0
ORDER BY member_id
LIMIT 1;

-- name: may_use_callsign
SELECT 1 AS found WHERE NOT EXISTS (SELECT 1 FROM members WHERE callsign_key = :callsign)
    OR EXISTS (SELECT 1 FROM members WHERE callsign_key = :callsign AND id = :member_id);

-- name: list_callsign_owners
-- Finds the member with the callsign. Only an older logbook can contain two such members.
SELECT id, active FROM members WHERE callsign_key = :callsign;

-- name: find_other_owner_of_callsign
-- Finds an active member with the callsign, other than :member_id.
SELECT id FROM members WHERE callsign_key = :callsign AND active = 1 AND id <> :member_id LIMIT 1;

-- name: find_qso_by_id
SELECT member_id, active, members.callsign, qsos.id, {matched}
FROM qsos JOIN members ON members.id = qsos.member_id
WHERE qsos.id = :id;

-- name: update_qso_confirmation
-- Sets or clears the QSO's partner. If a claim also confirms the QSO, the time of the confirmation is kept.
UPDATE qsos SET confirmed_by = :confirmed_by, paired_at = :paired_at,
    claimed_at = CASE WHEN claim_id IS NOT NULL THEN ifnull(claimed_at, paired_at)
        WHEN :confirmed_by IS NOT NULL THEN claimed_at END,
    synced_at = :synced_at
WHERE id = :id;

-- Claims from peers: QSOs that other clubs' members logged with our members. A claim by :station about :worked confirms
-- a QSO that :worked logged with :station.

-- name: find_any_claim
SELECT 1 FROM claims WHERE id > 0 LIMIT 1;

-- part: own_callsign
-- Checks whether the worked callsign belongs to the QSO's owner, who takes part in confirmations by peers.
EXISTS (SELECT 1 FROM members WHERE id = :member_id AND callsign_key = worked_key AND claims = 1)

-- name: list_claims_of_contact
-- Lists the claim that confirms the QSO with the id :qso_id, and the free claims that could confirm this QSO.
SELECT id, station_key, worked_key, band, channel, mode, qso_at, qso_id, {own_callsign} AS is_own
FROM claims
WHERE id = (SELECT claim_id FROM qsos WHERE id = :qso_id)
UNION ALL
SELECT id, station_key, worked_key, band, channel, mode, qso_at, qso_id, 1 AS is_own FROM (
    SELECT id, station_key, worked_key, band, channel, mode, qso_at, qso_id FROM claims INDEXED BY claims_free
    WHERE worked_key = :station AND station_key = :worked AND qso_at BETWEEN :from AND :to AND qso_id IS NULL
        AND {own_callsign}
    ORDER BY qso_at
    LIMIT :limit) AS one;

-- name: find_claim
SELECT id, station_key, worked_key, band, channel, mode, qso_at, qso_id FROM claims WHERE id = :id;

-- name: list_qsos_without_claim
-- Lists QSOs logged under the member's own callsign or under another callsign; the caller compares the callsigns. With
-- a list of slots after IN, or with ORDER BY, SQLite would create a temporary table for each claim.
SELECT members.callsign, qsos.id, {matched}
FROM (SELECT :first_slot AS slot UNION ALL SELECT :last_slot WHERE :last_slot <> :first_slot) AS slots
    CROSS JOIN members JOIN qsos INDEXED BY qsos_by_contact ON qsos.member_id = members.id
WHERE members.callsign_key = :worked AND members.active = 1 AND members.claims = 1
    AND qsos.slot = slots.slot AND qsos.worked_key = :station
    AND qsos.claim_id IS NULL
LIMIT :limit;

-- name: update_claim_qso
UPDATE claims SET qso_id = :qso_id WHERE id = :id;

-- name: update_qso_claim
UPDATE qsos SET claim_id = :claim_id WHERE id = :id;

-- name: release_claim
UPDATE claims SET qso_id = NULL WHERE id = (SELECT claim_id FROM qsos WHERE id = :qso_id) RETURNING id;

-- name: update_qso_claimed
-- Sets or clears the claim when a claim begins or ceases to confirm the QSO. The time of the confirmation is kept while
-- anything confirms the QSO.
UPDATE qsos SET claim_id = :claim_id,
    claimed_at = CASE WHEN :claim_id IS NOT NULL THEN coalesce(claimed_at, paired_at, :claimed_at)
        WHEN confirmed_by IS NOT NULL THEN claimed_at END,
    synced_at = :synced_at
WHERE id = :id;
