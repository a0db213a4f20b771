-- Members' alerts.

-- name: list_alert_rules
SELECT id, name, subject, callsigns, need, source, band, mode, from_minute, to_minute, days, pause, is_on
FROM alert_rules WHERE member_id = :member_id ORDER BY id;

-- name: find_alert_rule
SELECT id, name, subject, callsigns, need, source, band, mode, from_minute, to_minute, days, pause, is_on
FROM alert_rules WHERE id = :id;

-- name: insert_alert_rule
INSERT INTO alert_rules (member_id, name, subject, callsigns, need, source, band, mode, from_minute, to_minute, days, pause,
    is_on)
SELECT :member_id, :name, :subject, :callsigns, :need, :source, :band, :mode, :from_minute, :to_minute, :days, :pause, :is_on
WHERE (SELECT count(*) FROM alert_rules WHERE member_id = :member_id) < :most;

-- name: update_alert_rule
UPDATE alert_rules SET name = :name, subject = :subject, callsigns = :callsigns, need = :need, source = :source,
    band = :band, mode = :mode, from_minute = :from_minute, to_minute = :to_minute, days = :days, pause = :pause, is_on = :is_on
WHERE id = :id AND member_id = :member_id;

-- name: switch_alert_rule
UPDATE alert_rules SET is_on = :is_on WHERE id = :id AND member_id = :member_id;

-- name: delete_alert_rule
DELETE FROM alert_rules WHERE id = :id AND member_id = :member_id;

-- name: delete_alert_names
DELETE FROM alert_names WHERE rule_id = :rule_id;

-- name: insert_alert_name
INSERT OR IGNORE INTO alert_names (name, rule_id) VALUES (:name, :rule_id);

-- name: read_alert_settings
SELECT zone, offsets, quiet_from, quiet_to, hourly, muted_until FROM alert_settings WHERE member_id = :id;

-- name: set_alert_settings
INSERT INTO alert_settings (member_id, zone, offsets, quiet_from, quiet_to, hourly, muted_until)
VALUES (:member_id, :zone, :offsets, :quiet_from, :quiet_to, :hourly, :muted_until)
ON CONFLICT (member_id) DO UPDATE SET zone = excluded.zone, offsets = excluded.offsets, quiet_from = excluded.quiet_from,
    quiet_to = excluded.quiet_to, hourly = excluded.hourly, muted_until = excluded.muted_until;

-- name: list_alert_mutes
SELECT callsign FROM alert_mutes WHERE member_id = :member_id ORDER BY callsign_key;

-- name: insert_alert_mute
INSERT INTO alert_mutes (member_id, callsign_key, callsign)
SELECT :member_id, :callsign_key, :callsign
WHERE (SELECT count(*) FROM alert_mutes WHERE member_id = :member_id) < :most
ON CONFLICT (member_id, callsign_key) DO UPDATE SET callsign = excluded.callsign;

-- name: delete_alert_mute
DELETE FROM alert_mutes WHERE member_id = :member_id AND callsign_key = :callsign_key;

-- name: list_alert_ways
SELECT id, kind, name, address, session_id, is_put, format, headers, body, is_on, created_at, sent_at, failed_at, failure,
    has_ended
FROM alert_ways WHERE member_id = :member_id ORDER BY id;

-- name: insert_alert_way
INSERT INTO alert_ways (member_id, kind, name, address, point, secret, session_id, is_put, format, headers, body, is_on,
    created_at)
SELECT :member_id, :kind, :name, :address, :point, :secret, :session_id, :is_put, :format, :headers, :body, :is_on, :created_at
WHERE (SELECT count(*) FROM alert_ways WHERE member_id = :member_id) < :most;

-- name: update_alert_way
UPDATE alert_ways SET name = :name, kind = :kind, address = :address, point = :point, secret = :secret,
    session_id = :session_id, is_put = :is_put, format = :format, headers = :headers, body = :body, is_on = :is_on,
    failed_at = NULL, failure = NULL, has_ended = 0
WHERE id = :id AND member_id = :member_id;

-- name: end_alert_subscription
-- A browser's subscription belongs to the member who subscribed last.
DELETE FROM alert_ways WHERE kind = 0 AND address = :address;

-- name: switch_alert_way
UPDATE alert_ways SET is_on = :is_on WHERE id = :id AND member_id = :member_id;

-- name: revive_alert_way
-- A member who tries an address wants to know whether it works now.
UPDATE alert_ways SET has_ended = 0 WHERE id = :id AND member_id = :member_id;

-- name: delete_alert_way
DELETE FROM alert_ways WHERE id = :id AND member_id = :member_id;

-- name: note_alert_way_sent
UPDATE alert_ways SET sent_at = :now, failed_at = NULL, failure = NULL WHERE id = :id;

-- name: note_alert_way_failed
UPDATE alert_ways SET failed_at = :now, failure = :failure, has_ended = has_ended OR :has_ended WHERE id = :id;

-- name: read_push_key
SELECT push_key, push_point FROM alert_state WHERE id = 1 AND push_key IS NOT NULL;

-- name: write_push_key
UPDATE alert_state SET push_key = :push_key, push_point = :push_point WHERE id = 1;

-- name: read_alert_state
SELECT spot_id, network_spot_id, ran_at, (SELECT alerts IS 'off' FROM club WHERE id = 1) AS is_off
FROM alert_state WHERE id = 1;

-- name: record_alert_run
UPDATE alert_state SET ran_at = :ran_at WHERE id = 1;

-- name: find_alert_rule_in_use
SELECT 1 FROM alert_rules INDEXED BY alert_rules_by_subject WHERE is_on = 1 AND subject >= 0 LIMIT 1;

-- name: advance_alerts
-- Changes nothing if another process has examined spots.
UPDATE alert_state SET spot_id = :spot_id, network_spot_id = :network_spot_id
WHERE id = 1 AND spot_id = :before_spot_id AND network_spot_id = :before_network_spot_id;

-- name: list_spots_for_alerts
SELECT id, qso_id, spotted_at, spotter, dx_callsign, band, frequency, channel, mode, dx_locator
FROM spots WHERE id > :id AND spotted_at >= :from ORDER BY id LIMIT :limit;

-- name: list_network_spots_for_alerts
SELECT id, spotted_at, spotter, callsign AS dx_callsign, frequency, source, comment
FROM network_spots WHERE id > :id AND spotted_at >= :from ORDER BY id LIMIT :limit;

-- name: find_spot_member
SELECT member_id FROM qsos WHERE id = :id;

-- name: find_alert_member
SELECT 1 FROM members WHERE callsign_key = :callsign_key AND active = 1;

-- part: alert_candidate
SELECT alert_rules.member_id, alert_rules.name, subject, need, source, mode, from_minute, to_minute, days, pause, offsets,
    quiet_from, quiet_to, hourly, muted_until

-- part: alert_member
JOIN members ON members.id = alert_rules.member_id
    LEFT JOIN alert_settings ON alert_settings.member_id = alert_rules.member_id

-- part: alert_is_for
-- Excludes alerts about the member's own spots, and about the member.
members.active = 1 AND alert_rules.member_id <> :spotter_id AND members.callsign_key <> :spotter_key
    AND members.callsign_key <> :dx_key
    AND NOT EXISTS (SELECT 1 FROM alert_mutes
        WHERE alert_mutes.member_id = alert_rules.member_id AND alert_mutes.callsign_key = :dx_key)

-- name: list_alert_rules_of_name
{alert_candidate}
FROM alert_names CROSS JOIN alert_rules ON alert_rules.id = rule_id {alert_member}
WHERE alert_names.name = :name AND (band IS NULL OR band = :band) AND {alert_is_for};

-- name: list_alert_rules_of_subject
{alert_candidate}
FROM alert_rules INDEXED BY alert_rules_by_subject {alert_member}
WHERE is_on = 1 AND subject = :subject AND band IS :rule_band AND {alert_is_for};

-- name: find_alert_of_station
-- An alert that was held back does not delay an alert that can be sent.
SELECT 1 FROM alerts WHERE member_id = :member_id AND dx_key = :dx_key AND at > :after AND rule IS NOT NULL
    AND (held IS NULL OR :is_held);

-- name: count_alerts_sent
SELECT count(*) AS alerts FROM alerts
WHERE member_id = :member_id AND at > :after AND held IS NULL AND rule IS NOT NULL;

-- name: count_alert_trials
SELECT count(*) AS alerts FROM alerts WHERE member_id = :member_id AND at > :after AND rule IS NULL;

-- name: insert_alert
INSERT INTO alerts (member_id, at, rule, dx_callsign, dx_key, spotter, band, frequency, channel, mode, held)
VALUES (:member_id, :at, :rule, :dx_callsign, :dx_key, :spotter, :band, :frequency, :channel, :mode, :held);

-- name: insert_alert_deliveries
-- They are due at once. A time would be wrong, because the time of a later write can be earlier by a millisecond.
INSERT INTO alert_deliveries (alert_id, way_id, state, due_at)
SELECT :alert_id, id, 0, 0 FROM alert_ways WHERE member_id = :member_id AND is_on = 1 AND has_ended = 0;

-- name: insert_alert_delivery
INSERT INTO alert_deliveries (alert_id, way_id, state, due_at) VALUES (:alert_id, :way_id, 0, 0);

-- name: list_alert_notes
SELECT id, at, rule, dx_callsign, spotter, band, frequency, channel, mode, held,
    (SELECT count(*) FROM alert_deliveries WHERE alert_id = id AND state = 0) AS waiting,
    (SELECT count(*) FROM alert_deliveries WHERE alert_id = id AND state = 2) AS sent,
    (SELECT count(*) FROM alert_deliveries WHERE alert_id = id AND state = 3) AS failed
FROM alerts WHERE member_id = :member_id ORDER BY at DESC LIMIT :limit;

-- name: delete_old_alerts
DELETE FROM alerts WHERE at < :before;

-- name: drop_late_alerts
UPDATE alert_deliveries SET state = 3
WHERE state = 0 AND due_at <= :now AND (SELECT at FROM alerts WHERE id = alert_id) < :before;

-- name: list_due_alerts
SELECT alert_id, way_id, tries, rule, at, dx_callsign, spotter, band, frequency, channel, mode, kind, address, point, secret,
    is_put, format, headers, body
FROM alert_deliveries INDEXED BY alert_deliveries_due
    CROSS JOIN alerts ON alerts.id = alert_id
    CROSS JOIN alert_ways ON alert_ways.id = way_id
    CROSS JOIN members ON members.id = alerts.member_id
WHERE state = 0 AND due_at <= :now AND members.active = 1 AND has_ended = 0
    AND NOT EXISTS (SELECT 1 FROM club WHERE id = 1 AND alerts IS 'off')
ORDER BY due_at
LIMIT :limit;

-- name: begin_alert
UPDATE alert_deliveries SET state = 1 WHERE alert_id = :alert_id AND way_id = :way_id;

-- name: end_alert
UPDATE alert_deliveries SET state = :state, due_at = :due_at, tries = tries + 1
WHERE alert_id = :alert_id AND way_id = :way_id;

-- name: drop_alerts
-- Used by a restore: the alerts that wait in a backup have been sent, or are late.
DELETE FROM alert_deliveries WHERE state = 0 AND due_at >= 0;

-- name: list_all_alert_states
SELECT spot_id, network_spot_id, ran_at, push_key, push_point FROM alert_state;

-- name: restore_alert_state
-- Browsers have subscribed with the current key.
UPDATE alert_state SET spot_id = max(spot_id, :spot_id), network_spot_id = max(network_spot_id, :network_spot_id),
    ran_at = max(ran_at, :ran_at), push_key = ifnull(:push_key, push_key), push_point = ifnull(:push_point, push_point)
WHERE id = 1;

-- name: forget_alert_settings
-- Used by a restore, like forget_passkeys.
DELETE FROM alert_settings WHERE member_id = (SELECT id FROM members WHERE id = :id AND created_at = :created_at);

-- name: forget_alert_rules
DELETE FROM alert_rules WHERE member_id = (SELECT id FROM members WHERE id = :id AND created_at = :created_at);

-- name: forget_alert_mutes
DELETE FROM alert_mutes WHERE member_id = (SELECT id FROM members WHERE id = :id AND created_at = :created_at);

-- name: forget_alert_ways
DELETE FROM alert_ways WHERE member_id = (SELECT id FROM members WHERE id = :id AND created_at = :created_at);

-- name: list_all_alert_settings
SELECT member_id, members.created_at AS member_created_at, zone, offsets, quiet_from, quiet_to, hourly, muted_until
FROM alert_settings JOIN members ON members.id = member_id;

-- name: restore_alert_settings
INSERT INTO alert_settings (member_id, zone, offsets, quiet_from, quiet_to, hourly, muted_until)
SELECT id, :zone, :offsets, :quiet_from, :quiet_to, :hourly, :muted_until
FROM members WHERE id = :member_id AND created_at = :member_created_at;

-- name: list_all_alert_rules
SELECT alert_rules.id, member_id, members.created_at AS member_created_at, name, subject, callsigns, need, source, band, mode,
    from_minute, to_minute, days, pause, is_on
FROM alert_rules JOIN members ON members.id = member_id;

-- name: restore_alert_rule
INSERT INTO alert_rules (id, member_id, name, subject, callsigns, need, source, band, mode, from_minute, to_minute, days,
    pause, is_on)
SELECT :id, id, :name, :subject, :callsigns, :need, :source, :band, :mode, :from_minute, :to_minute, :days, :pause, :is_on
FROM members WHERE id = :member_id AND created_at = :member_created_at
    AND NOT EXISTS (SELECT 1 FROM alert_rules WHERE id = :id);

-- name: list_all_alert_names
SELECT alert_names.name, rule_id, member_id, members.created_at AS member_created_at
FROM alert_names JOIN alert_rules ON alert_rules.id = rule_id JOIN members ON members.id = member_id;

-- name: restore_alert_name
INSERT OR IGNORE INTO alert_names (name, rule_id)
SELECT :name, :rule_id FROM members JOIN alert_rules ON alert_rules.member_id = members.id
WHERE members.id = :member_id AND created_at = :member_created_at AND alert_rules.id = :rule_id;

-- name: list_all_alert_mutes
SELECT member_id, members.created_at AS member_created_at, alert_mutes.callsign_key, alert_mutes.callsign
FROM alert_mutes JOIN members ON members.id = member_id;

-- name: restore_alert_mute
INSERT INTO alert_mutes (member_id, callsign_key, callsign)
SELECT id, :callsign_key, :callsign FROM members WHERE id = :member_id AND created_at = :member_created_at;

-- name: list_all_alert_ways
SELECT alert_ways.id, member_id, members.created_at AS member_created_at, kind, name, address, point, secret, session_id,
    is_put, format, headers, body, is_on, alert_ways.created_at, sent_at, failed_at, failure, has_ended
FROM alert_ways JOIN members ON members.id = member_id;

-- name: restore_alert_way
INSERT INTO alert_ways (id, member_id, kind, name, address, point, secret, session_id, is_put, format, headers, body, is_on,
    created_at, sent_at, failed_at, failure, has_ended)
SELECT :id, id, :kind, :name, :address, :point, :secret, :session_id, :is_put, :format, :headers, :body, :is_on, :created_at,
    :sent_at, :failed_at, :failure, :has_ended
FROM members WHERE id = :member_id AND created_at = :member_created_at
    AND (:session_id IS NULL OR EXISTS (SELECT 1 FROM sessions WHERE id = :session_id))
    AND NOT EXISTS (SELECT 1 FROM alert_ways WHERE id = :id OR (kind = 0 AND :kind = 0 AND address = :address));
