-- Alerts: members' rules, the ways by which alerts reach a member, and the alerts that wait or were sent.

CREATE TABLE alert_state (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    spot_id INTEGER NOT NULL DEFAULT 0,
    network_spot_id INTEGER NOT NULL DEFAULT 0,
    ran_at INTEGER NOT NULL DEFAULT 0,
    push_key BLOB CHECK (length(push_key) = 32),
    push_point BLOB CHECK (length(push_point) = 64),
    CHECK ((push_key IS NULL) = (push_point IS NULL))
) STRICT;

INSERT INTO alert_state (id) VALUES (1);

ALTER TABLE club ADD COLUMN alerts TEXT CHECK (alerts IN ('on', 'off'));
ALTER TABLE club ADD COLUMN alerts_set_at INTEGER NOT NULL DEFAULT 0;

CREATE TABLE alert_settings (
    member_id INTEGER PRIMARY KEY REFERENCES members (id) ON DELETE CASCADE,
    zone TEXT CHECK (length(zone) BETWEEN 1 AND 40),
    offsets TEXT CHECK (length(offsets) BETWEEN 1 AND 800),
    quiet_from INTEGER CHECK (quiet_from BETWEEN 0 AND 1439),
    quiet_to INTEGER CHECK (quiet_to BETWEEN 0 AND 1439),
    hourly INTEGER NOT NULL CHECK (hourly BETWEEN 1 AND 60),
    muted_until INTEGER NOT NULL DEFAULT 0,
    CHECK ((quiet_from IS NULL) = (quiet_to IS NULL))
) STRICT;

CREATE TABLE alert_rules (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    member_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
    name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 80),
    subject INTEGER NOT NULL CHECK (subject BETWEEN 0 AND 4),
    callsigns TEXT CHECK (length(callsigns) BETWEEN 1 AND 400),
    need INTEGER NOT NULL CHECK (need BETWEEN 0 AND 2),
    source INTEGER NOT NULL CHECK (source BETWEEN 0 AND 2),
    band INTEGER CHECK (band IN (0, 1)),
    mode INTEGER CHECK (mode BETWEEN 0 AND 6),
    from_minute INTEGER CHECK (from_minute BETWEEN 0 AND 1439),
    to_minute INTEGER CHECK (to_minute BETWEEN 0 AND 1439),
    days INTEGER NOT NULL CHECK (days BETWEEN 1 AND 127),
    pause INTEGER NOT NULL CHECK (pause BETWEEN 1 AND 1440),
    is_on INTEGER NOT NULL CHECK (is_on IN (0, 1)),
    CHECK ((subject = 0) = (callsigns IS NOT NULL)),
    CHECK ((from_minute IS NULL) = (to_minute IS NULL))
) STRICT;

CREATE INDEX alert_rules_by_member ON alert_rules (member_id, id);
CREATE INDEX alert_rules_by_subject ON alert_rules (subject, band) WHERE is_on = 1;

CREATE TABLE alert_names (
    name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 21),
    rule_id INTEGER NOT NULL REFERENCES alert_rules (id) ON DELETE CASCADE,
    PRIMARY KEY (name, rule_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX alert_names_by_rule ON alert_names (rule_id);

CREATE TABLE alert_mutes (
    member_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
    callsign_key TEXT NOT NULL CHECK (length(callsign_key) BETWEEN 1 AND 20),
    callsign TEXT NOT NULL CHECK (length(callsign) BETWEEN 1 AND 20),
    PRIMARY KEY (member_id, callsign_key)
) STRICT, WITHOUT ROWID;

CREATE TABLE alert_ways (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    member_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
    kind INTEGER NOT NULL CHECK (kind IN (0, 1)),
    name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 80),
    address TEXT NOT NULL CHECK (length(address) BETWEEN 1 AND 1000),
    point BLOB CHECK (length(point) = 65),
    secret BLOB CHECK (length(secret) = 16),
    session_id INTEGER REFERENCES sessions (id) ON DELETE CASCADE,
    is_put INTEGER NOT NULL DEFAULT 0 CHECK (is_put IN (0, 1)),
    format INTEGER NOT NULL DEFAULT 0 CHECK (format BETWEEN 0 AND 2),
    headers TEXT CHECK (length(headers) BETWEEN 1 AND 1000),
    body TEXT CHECK (length(body) BETWEEN 1 AND 1500),
    is_on INTEGER NOT NULL DEFAULT 1 CHECK (is_on IN (0, 1)),
    created_at INTEGER NOT NULL,
    sent_at INTEGER,
    failed_at INTEGER,
    failure INTEGER,
    has_ended INTEGER NOT NULL DEFAULT 0 CHECK (has_ended IN (0, 1)),
    CHECK ((kind = 0) = (point IS NOT NULL)),
    CHECK ((kind = 0) = (secret IS NOT NULL)),
    CHECK (kind = 0 OR session_id IS NULL),
    CHECK ((kind = 1) = (body IS NOT NULL))
) STRICT;

CREATE INDEX alert_ways_by_member ON alert_ways (member_id, id);
CREATE INDEX alert_ways_by_session ON alert_ways (session_id) WHERE session_id IS NOT NULL;
CREATE UNIQUE INDEX alert_ways_by_address ON alert_ways (address) WHERE kind = 0;

CREATE TABLE alerts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    member_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
    at INTEGER NOT NULL,
    rule TEXT CHECK (length(rule) BETWEEN 1 AND 80),
    dx_callsign TEXT NOT NULL,
    dx_key TEXT NOT NULL,
    spotter TEXT NOT NULL,
    band INTEGER NOT NULL,
    frequency INTEGER,
    channel INTEGER,
    mode INTEGER,
    held INTEGER CHECK (held BETWEEN 1 AND 3)
) STRICT;

CREATE INDEX alerts_by_member ON alerts (member_id, at, held);
CREATE INDEX alerts_by_station ON alerts (member_id, dx_key, at);
CREATE INDEX alerts_by_age ON alerts (at);

CREATE TABLE alert_deliveries (
    alert_id INTEGER NOT NULL REFERENCES alerts (id) ON DELETE CASCADE,
    way_id INTEGER NOT NULL REFERENCES alert_ways (id) ON DELETE CASCADE,
    state INTEGER NOT NULL CHECK (state BETWEEN 0 AND 3),
    due_at INTEGER NOT NULL,
    tries INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (alert_id, way_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX alert_deliveries_due ON alert_deliveries (due_at) WHERE state = 0;
CREATE INDEX alert_deliveries_by_way ON alert_deliveries (way_id);
