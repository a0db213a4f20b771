-- What records of other programs hold and a QSO does not, kept beside it until it goes out again; and upload tokens that
-- may read.

-- A table of its own: nothing but an export reads it.
CREATE TABLE leftovers (
    member_id INTEGER NOT NULL,
    qso_id INTEGER NOT NULL,
    -- the edit that brought them: they belong to its content, and to what was made of it since, up to the next row's.
    -- Stays while the content can come back.
    edit INTEGER NOT NULL,
    -- fields of ADIF (src/adif/leftovers.c); empty: none any more
    fields BLOB NOT NULL CHECK (length(fields) <= 4000),
    PRIMARY KEY (member_id, qso_id, edit)
) STRICT, WITHOUT ROWID;

-- 1: the log may be read with it, too
ALTER TABLE upload_tokens ADD COLUMN may_read INTEGER NOT NULL DEFAULT 0 CHECK (may_read IN (0, 1));

DROP TRIGGER upload_tokens_stay_what_they_are;

-- Revoking is final, and a token never changes hands, fingerprint, or what it may.
CREATE TRIGGER upload_tokens_stay_what_they_are BEFORE UPDATE ON upload_tokens
WHEN (OLD.revoked_at IS NOT NULL AND NEW.revoked_at IS NULL)
    OR NEW.member_id <> OLD.member_id
    OR NEW.fingerprint <> OLD.fingerprint
    OR NEW.may_read <> OLD.may_read
BEGIN
    SELECT RAISE(ABORT, 'a token is changed only by revoking it');
END;
