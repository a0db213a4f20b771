-- Tokens of PoLo, and what PoLo sends beside the QSOs of the log.

ALTER TABLE upload_tokens ADD COLUMN polo_epoch INTEGER;

DROP TRIGGER upload_tokens_stay_what_they_are;

CREATE TRIGGER upload_tokens_stay_what_they_are BEFORE UPDATE ON upload_tokens
WHEN (OLD.revoked_at IS NOT NULL AND NEW.revoked_at IS NULL)
    OR NEW.member_id <> OLD.member_id
    OR NEW.fingerprint <> OLD.fingerprint
    OR NEW.may_read <> OLD.may_read
    OR (NEW.polo_epoch IS NULL) <> (OLD.polo_epoch IS NULL)
BEGIN
    SELECT RAISE(ABORT, 'a token is changed only by revoking it');
END;

CREATE TABLE polo_records (
    member_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
    kind INTEGER NOT NULL CHECK (kind BETWEEN 0 AND 2),
    uuid BLOB NOT NULL CHECK (length(uuid) = 16),
    phone TEXT NOT NULL,
    updated_at INTEGER NOT NULL,
    synced_at INTEGER NOT NULL,
    edit INTEGER,
    reason TEXT,
    bytes INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (member_id, kind, uuid)
) STRICT;

CREATE INDEX polo_records_by_change ON polo_records (member_id, kind, synced_at, uuid, phone, bytes)
WHERE edit IS NULL;
CREATE INDEX polo_records_by_reason ON polo_records (member_id, reason) WHERE reason IS NOT NULL;
