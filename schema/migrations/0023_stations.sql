-- Stations: logs that several members operate, each under their own name.

ALTER TABLE members ADD COLUMN is_station INTEGER NOT NULL DEFAULT 0
    CHECK (is_station IN (0, 1) AND (is_station = 0 OR (password_hash IS NULL AND is_operator = 0)));
ALTER TABLE members ADD COLUMN log_page INTEGER NOT NULL DEFAULT 0 CHECK (log_page IN (0, 1) AND log_page <= is_station);
ALTER TABLE members ADD COLUMN log_page_set_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE api_keys ADD COLUMN made_by INTEGER REFERENCES members (id);
ALTER TABLE upload_tokens ADD COLUMN made_by INTEGER REFERENCES members (id);
ALTER TABLE acts ADD COLUMN operator TEXT CHECK (length(operator) BETWEEN 1 AND 20);

CREATE INDEX members_stations ON members (is_station) WHERE is_station = 1;
CREATE INDEX api_keys_by_maker ON api_keys (made_by) WHERE made_by IS NOT NULL;
CREATE INDEX upload_tokens_by_maker ON upload_tokens (made_by) WHERE made_by IS NOT NULL;

CREATE TABLE grants (
    station_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
    member_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
    granted_at INTEGER NOT NULL,
    until INTEGER,
    revoked_at INTEGER,
    set_at INTEGER NOT NULL,
    PRIMARY KEY (station_id, member_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX grants_by_member ON grants (member_id, station_id);

CREATE TABLE made_by (
    member_id INTEGER NOT NULL,
    qso_id INTEGER NOT NULL,
    operator TEXT NOT NULL CHECK (length(operator) BETWEEN 1 AND 20),
    PRIMARY KEY (member_id, qso_id)
) STRICT, WITHOUT ROWID;

DROP TRIGGER api_keys_limit_on_insert;
DROP TRIGGER upload_tokens_limit_on_insert;

CREATE TRIGGER api_keys_limit_on_insert BEFORE INSERT ON api_keys
WHEN NEW.revoked_at IS NULL
    AND (SELECT count(*) FROM api_keys
         WHERE member_id = NEW.member_id AND made_by IS NEW.made_by AND revoked_at IS NULL) >= 10
BEGIN
    SELECT RAISE(ABORT, 'a member has at most 10 active keys');
END;

CREATE TRIGGER upload_tokens_limit_on_insert BEFORE INSERT ON upload_tokens
WHEN NEW.revoked_at IS NULL
    AND (SELECT count(*) FROM upload_tokens
         WHERE member_id = NEW.member_id AND made_by IS NEW.made_by AND revoked_at IS NULL) >= 10
BEGIN
    SELECT RAISE(ABORT, 'a member has at most 10 active upload tokens');
END;
