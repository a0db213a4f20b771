-- The records that Ham2K PoLo sends and receives. The statements parse the JSON in a request, because PoLo's records
-- are stored and returned unchanged.

-- name: list_polo_sent
-- Reads the records in one list of a request. For a QSO, the statement creates the ADIF record that the QSO becomes, in
-- the format in which extra fields are stored. DATA is PoLo's word for all modes except voice and CW.
SELECT value AS body, value ->> '$.uuid' AS uuid, value ->> '$.updatedAtMillis' AS updated_at,
    value ->> '$.deleted' AS deleted, value ->> '$.event' IS NOT NULL AS is_event, at AS qso_at, is_data,
    (SELECT group_concat('<' || column1 || ':' || length(CAST(column2 AS BLOB)) || '>' || column2, '')
    FROM (VALUES
        ('QSO_DATE', strftime('%Y%m%d', CASE WHEN typeof(at) = 'integer' THEN at / 1000 END, 'unixepoch')),
        ('TIME_ON', strftime('%H%M%S', at / 1000, 'unixepoch')),
        ('FREQ', CASE WHEN (value ->> '$.freq') + 0.0 > 0 THEN printf('%.6f', (value ->> '$.freq') / 1000.0) END),
        ('BAND', value ->> '$.band'),
        ('CALL', value ->> '$.their.call'), ('STATION_CALLSIGN', value ->> '$.our.call'),
        ('RST_SENT', value ->> '$.our.sent'), ('RST_RCVD', value ->> '$.their.sent'),
        ('GRIDSQUARE', value ->> '$.their.grid'), ('MY_GRIDSQUARE', value ->> '$.our.grid'),
        ('TX_PWR', value ->> '$.power'), ('NOTES', value ->> '$.notes'),
        ('MODE', iif(is_data, NULL, value ->> '$.mode'))) AS sent
    WHERE length(column2) > 0) AS adif
FROM (
    SELECT value, ifnull(value ->> '$.startAtMillis', value ->> '$.endAtMillis') AS at,
        ifnull(upper(value ->> '$.mode') = 'DATA', 0) AS is_data
    FROM json_each(:body, :path) AS sent
    WHERE type = 'object');

-- name: read_polo_question
-- Reads the queries in a request, for at most 200 records of each kind. Without a cursor for a kind, the phone requests
-- no records of that kind.
SELECT settings, unsent_qsos, unsent_operations,
    operations_since, operations_until, operations_own,
    coalesce(operations_since, operations_until) IS NOT NULL AS operations_asked,
    operations_until IS NOT NULL AS operations_back,
    iif(operations_limit BETWEEN 1 AND 200, operations_limit, 200) AS operations_limit,
    qsos_since, qsos_until, qsos_own,
    coalesce(qsos_since, qsos_until) IS NOT NULL AS qsos_asked,
    qsos_until IS NOT NULL AS qsos_back,
    iif(qsos_limit BETWEEN 1 AND 200, qsos_limit, 200) AS qsos_limit
FROM (SELECT :body ->> '$.settings' AS settings,
    :body ->> '$.meta.unsyncedQSOCount' AS unsent_qsos,
    :body ->> '$.meta.unsyncedOperationCount' AS unsent_operations,
    :body ->> '$.meta.sync.operations.syncedSinceMillis' AS operations_since,
    :body ->> '$.meta.sync.operations.syncedUntilMillis' AS operations_until,
    :body ->> '$.meta.sync.operations.anyClient' AS operations_own,
    CAST(:body ->> '$.meta.sync.operations.limit' AS INTEGER) AS operations_limit,
    :body ->> '$.meta.sync.qsos.syncedSinceMillis' AS qsos_since,
    :body ->> '$.meta.sync.qsos.syncedUntilMillis' AS qsos_until,
    :body ->> '$.meta.sync.qsos.anyClient' AS qsos_own,
    CAST(:body ->> '$.meta.sync.qsos.limit' AS INTEGER) AS qsos_limit) AS sent;

-- part: identity_text
lower(hex(substr(identity, 1, 4)) || '-' || hex(substr(identity, 5, 2)) || '-' || hex(substr(identity, 7, 2)) || '-'
        || hex(substr(identity, 9, 2)) || '-' || hex(substr(identity, 11, 2)))

-- name: read_polo_account
-- Reads the account. The account's UUID and the UUID of the operation for QSOs that PoLo did not log are derived from
-- the logbook and the member.
SELECT polo_epoch, log_epoch, callsign,
    {identity_text} || printf('%08x', members.id) AS account,
    {identity_text} || printf('%08x', members.id + 0x80000000) AS operation
FROM upload_tokens
    JOIN members ON members.id = member_id
    JOIN logbook ON logbook.id = 1
WHERE upload_tokens.id = :id;

-- name: update_polo_epoch
UPDATE upload_tokens SET polo_epoch = (SELECT log_epoch FROM logbook WHERE id = 1) WHERE id = :id;

-- name: find_polo_record
-- Finds the place of a record's current state: the log (0), the records kept only for PoLo (1), the deletions (2) or
-- nowhere (3). If two states have the same stamp, the phone's record was written last.
SELECT edited_at, is_kept, updated_at, body,
    logged_at IS NOT NULL AS is_in_log,
    logged_at IS NOT NULL AND kept_edit = edit AS is_as_sent,
    iif(kept_edit IS NULL, bytes, 0) AS bytes, client_id, alias,
    max(ifnull(logged_at, 0), ifnull(deleted_at, 0), ifnull(alone_at, 0)) AS stamp,
    CASE WHEN alone_at >= max(ifnull(logged_at, 0), ifnull(deleted_at, 0)) THEN 1
        WHEN deleted_at > ifnull(logged_at, 0) THEN 2
        WHEN logged_at IS NOT NULL THEN 0 ELSE 3 END AS place
FROM (SELECT qsos.synced_at AS logged_at, qsos.edit AS edit, deleted_at,
    (SELECT began_at + ifnull((SELECT at FROM former
            WHERE former.member_id = :member_id AND former.edit = qsos.edit AND qso_id = qsos.id), 0)
        FROM acts
        WHERE acts.member_id = :member_id AND number <= qsos.edit
        ORDER BY number DESC
        LIMIT 1) AS edited_at,
    kept.uuid IS NOT NULL AS is_kept, kept.updated_at AS updated_at, kept.edit AS kept_edit,
    iif(kept.edit IS NULL, kept.synced_at, NULL) AS alone_at, kept.bytes AS bytes, kept.body AS body,
    one.client_id AS client_id, kept.alias AS alias
FROM (SELECT ifnull((SELECT uuid FROM polo_records WHERE member_id = :member_id AND alias = :uuid AND kind = :kind), :uuid)
        AS client_id) AS one
    LEFT JOIN qsos ON qsos.client_id = one.client_id AND qsos.member_id = :member_id AND :kind = 1
    LEFT JOIN tombstones
        ON tombstones.client_id = one.client_id AND tombstones.member_id = :member_id AND :kind = 1
    LEFT JOIN polo_records AS kept
        ON kept.member_id = :member_id AND kept.kind = :kind AND kept.uuid = one.client_id
ORDER BY deleted_at DESC
LIMIT 1) AS places;

-- name: read_polo_bytes
SELECT ifnull(sum(bytes), 0) AS bytes FROM polo_records INDEXED BY polo_records_by_change
WHERE member_id = :member_id AND edit IS NULL;

-- name: write_polo_record
INSERT INTO polo_records (member_id, kind, uuid, phone, updated_at, synced_at, edit, reason, bytes, body, alias)
VALUES (:member_id, :kind, :uuid, :phone, :updated_at, :synced_at,
    ifnull((SELECT edit FROM qsos WHERE client_id = :client_id AND member_id = :member_id), :edit), :reason, :bytes,
    :body, :alias)
ON CONFLICT (member_id, kind, uuid) DO UPDATE SET phone = excluded.phone, updated_at = excluded.updated_at,
    synced_at = excluded.synced_at, edit = excluded.edit, reason = excluded.reason, bytes = excluded.bytes,
    body = excluded.body;

-- name: delete_polo_record
DELETE FROM polo_records WHERE member_id = :member_id AND kind = :kind AND uuid = :uuid;

-- name: insert_polo_operation
-- Inserts the operation for QSOs that PoLo did not log.
INSERT OR IGNORE INTO polo_records (member_id, kind, uuid, phone, updated_at, synced_at, bytes, body)
SELECT :member_id, 0, :uuid, '', 0, :synced_at, length(CAST(body AS BLOB)), body
FROM (SELECT json_object('uuid', :operation, 'title', 'QSOsync', 'stationCall', :callsign,
    'createdAtMillis', :created_at, 'refs', json_array()) AS body) AS one;

-- name: touch_polo_qso
UPDATE qsos SET synced_at = :synced_at WHERE client_id = :uuid AND member_id = :member_id;

-- name: touch_polo_deletion
UPDATE tombstones SET deleted_at = :synced_at WHERE client_id = :uuid AND member_id = :member_id;

-- name: touch_polo_record
-- Raises the record's stamp and its time, because the phone accepts only newer records.
UPDATE polo_records SET synced_at = :synced_at, updated_at = updated_at + 1, phone = ''
WHERE member_id = :member_id AND kind = :kind AND uuid = :uuid;

-- part: not_elsewhere
-- Checks that nothing was written or deleted elsewhere since the record was stored.
NOT EXISTS (SELECT 1 FROM qsos WHERE client_id = kept.uuid AND member_id = :member_id
        AND qsos.synced_at > kept.synced_at)
    AND NOT EXISTS (SELECT 1 FROM tombstones WHERE client_id = kept.uuid AND member_id = :member_id
        AND deleted_at > kept.synced_at)

-- name: list_polo_places
-- Lists the place of each record's current state: 0 the log, 1 only for PoLo, 2 deleted. The stamps rise if :direction
-- is 1, or fall if :direction is -1. Omits records that the phone itself has written since :own.
SELECT stamp, uuid, alias, place
FROM (
    SELECT qsos.synced_at AS stamp, qsos.client_id AS uuid, kept.alias AS alias, 0 AS place
    FROM qsos INDEXED BY qsos_by_change
        LEFT JOIN polo_records AS kept ON kept.member_id = :member_id AND kept.kind = 1 AND kept.uuid = qsos.client_id
    WHERE :kind = 1 AND qsos.member_id = :member_id AND qsos.synced_at > :after AND qsos.synced_at < :before
        AND qsos.client_id IS NOT NULL
        AND (kept.uuid IS NULL OR kept.edit IS NOT NULL OR qsos.synced_at > kept.synced_at)
        AND NOT (ifnull(kept.phone, '') = :phone AND kept.synced_at = qsos.synced_at AND kept.synced_at >= :own)
    UNION ALL
    SELECT kept.synced_at AS stamp, kept.uuid AS uuid, kept.alias AS alias, 1 AS place
    FROM polo_records AS kept INDEXED BY polo_records_by_change
    WHERE kept.member_id = :member_id AND kept.kind = :kind AND kept.edit IS NULL
        AND kept.synced_at > :after AND kept.synced_at < :before
        AND NOT (kept.phone = :phone AND kept.synced_at >= :own)
        AND {not_elsewhere}
    UNION ALL
    SELECT deleted_at AS stamp, client_id AS uuid, kept.alias AS alias, 2 AS place
    FROM tombstones INDEXED BY tombstones_by_change
        LEFT JOIN polo_records AS kept ON kept.member_id = :member_id AND kept.kind = 1 AND kept.uuid = client_id
    WHERE :kind = 1 AND tombstones.member_id = :member_id AND deleted_at > :after AND deleted_at < :before
        AND client_id IS NOT NULL
        AND (kept.uuid IS NULL OR kept.edit IS NOT NULL OR deleted_at > kept.synced_at)
        AND NOT (ifnull(kept.phone, '') = :phone AND kept.synced_at = deleted_at AND kept.synced_at >= :own)) AS places
ORDER BY stamp * :direction;

-- name: give_polo_record
-- Reads a record in the format that the phone receives (RFC 7396). The basis is the record that the phone sent last, if
-- it is stored. Values in the log that have changed elsewhere replace the record's values. If the phone sent a mode
-- such as FT8, which the log stores as DIGITAL, the phone's mode stays. A QSO that PoLo never sent gets an operation,
-- and the fields that PoLo checks in each QSO. :time is usually later than the phone's time for the record; otherwise,
-- the result has the next later time.
SELECT json_patch(json_patch(json_patch(json_patch(json_patch(json_patch(json_patch(
        iif(is_kept, body, json_object()),
        json_object('uuid', :text)),
        iif(is_kept, json_object(), json_object('operation', :operation))),
        iif(is_kept OR :place <> 2, json_object(), json_object('startAtMillis', :stamp, 'band', '11m', 'mode', 'SSB',
            'our', json_object('call', :callsign), 'their', json_object('call', '')))),
        iif(is_as_sent, json_object(), json_object('startAtMillis', qso_at, 'endAtMillis', qso_at,
            'band', iif(band = 1, '70cm', '11m'),
            'freq', iif(band = 1, 446006.25 + 12.5 * (channel - 1), frequency)))),
        CASE WHEN is_as_sent THEN json_object()
            WHEN mode <> 6 OR mode IS NULL THEN json_object('mode', {mode words})
            WHEN json_type(body, '$.mode') = 'text'
                AND upper(body ->> '$.mode') NOT IN ('', {mode names}) THEN json_object()
            ELSE json_object('mode', 'DATA') END),
        iif(is_as_sent, json_object(), json_object(
            'our', json_object('call', ifnull(operator_callsign, :callsign), 'sent', rst_sent, 'grid', my_locator),
            'their', json_object('call', ifnull(callsign_worked, ''), 'sent', rst_received, 'grid', dx_locator),
            'notes', notes, 'power', tx_power, 'deleted', NULL))),
        json_patch(iif(:place = 2, json_object('deleted', json('true')), json_object()),
            json_object('updatedAtMillis', max(ifnull(updated_at, 0) + 1, :time), 'syncedAtMillis', :stamp))) AS record
FROM (
    SELECT qsos.*, kept.updated_at, nullif(CAST(kept.body AS TEXT), '') AS body,
        ifnull(length(kept.body), 0) > 0 AS is_kept,
        qsos.id IS NULL OR kept.edit IS qsos.edit AS is_as_sent
    FROM (SELECT 1) AS one
        LEFT JOIN qsos ON :place = 0 AND qsos.client_id = :uuid AND qsos.member_id = :member_id
        LEFT JOIN polo_records AS kept ON kept.member_id = :member_id AND kept.kind = :kind AND kept.uuid = :uuid) AS found
WHERE is_kept OR :place <> 1;

-- name: count_polo_records
-- Counts operations other than the service's own, QSOs that only PoLo has, and QSOs in the log.
SELECT (SELECT count(*) FROM polo_records WHERE member_id = :member_id AND kind = 0 AND edit IS NULL AND updated_at > 0)
        AS operations,
    (SELECT count(*) FROM polo_records WHERE member_id = :member_id AND kind = 1 AND edit IS NULL) AS kept,
    (SELECT count(*) FROM qsos WHERE member_id = :member_id) AS qsos;

-- name: list_polo_reasons
SELECT reason, count(*) AS records FROM polo_records AS kept INDEXED BY polo_records_by_reason
WHERE kept.member_id = :member_id AND reason IS NOT NULL
    AND {not_elsewhere}
GROUP BY reason
ORDER BY reason;

-- name: delete_polo_qsos
-- Deletes the records together with the QSOs of a deleted log.
DELETE FROM polo_records WHERE member_id = :member_id AND edit IS NOT NULL;
