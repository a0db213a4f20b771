/* Turns new spots into alerts, and hands each delivery out once. Spots are matched in a read
 * transaction; the write transaction that follows stores the alerts together with the position up
 * to which spots were examined. If another process has examined spots meanwhile, it stores nothing.
 * No transaction that stores a spot does any of this work. */
#include "store/alerts/alert_queue.h"

#include "base/clock.h"
#include "base/datetime.h"
#include "qso/match_callsign.h"
#include "store/ageing.h"
#include "store/alerts/alert_match.h"
#include "store/alert_wake.h"
#include "store/log/logbook.h"
#include "store/log/network_spots.h"
#include "store/store.h"

#define SPOTS_AT_ONCE 50
#define HOUR_MS (60 * DATETIME_MINUTE_MS)

struct examined {
    int64_t spot_id, network_spot_id;
    bool is_off;
};

static enum store_result read_examined(struct store *store, struct examined *out)
{
    static const struct read_column columns[] = COLUMNS(
        COLUMN(examined, spot_id, "spot_id"), COLUMN(examined, network_spot_id, "network_spot_id"),
        COLUMN(examined, is_off, "is_off"));
    return store_find(store, columns, NULL, out, STATEMENT_READ_ALERT_STATE);
}

/* Spots that were read for matching. */
struct reading {
    struct store *store;
    struct arena *arena;
    struct alert_spot *spots;
    size_t count;
    struct examined last;
};

static void keep_text(struct arena *arena, struct text *text)
{
    if (text->bytes)
        text->bytes = arena_copy(arena, text->bytes, text->length);
}

static bool keep_spot(void *context, const struct spot *spot)
{
    struct reading *reading = context;
    struct alert_spot *kept = &reading->spots[reading->count++];
    *kept = (struct alert_spot){.spot = *spot};
    struct text *const texts[] = {&kept->spot.spotter,    &kept->spot.dx_callsign,
                                  &kept->spot.ctcss_tone, &kept->spot.dcs_code,
                                  &kept->spot.my_locator, &kept->spot.dx_locator,
                                  &kept->spot.source,     &kept->spot.comment};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        keep_text(reading->arena, texts[i]);
    if (spot->source.bytes)
        reading->last.network_spot_id = spot->id;
    else
        reading->last.spot_id = spot->id;
    return reading->count < SPOTS_AT_ONCE;
}

static const struct read_column spot_columns[] =
    COLUMNS(COLUMN(spot, id, "id"), COLUMN(spot, qso_id, "qso_id"),
            COLUMN(spot, spotted_at_ms, "spotted_at"), COLUMN(spot, spotter, "spotter"),
            COLUMN(spot, dx_callsign, "dx_callsign"), COLUMN(spot, band, "band"),
            COLUMN(spot, frequency_hz, "frequency"), COLUMN(spot, channel, "channel"),
            COLUMN_OR(spot, mode, "mode", -1), COLUMN(spot, dx_locator, "dx_locator"));
ROW_READER(spot_columns, STATEMENT_LIST_SPOTS_FOR_ALERTS);
static const struct read_column network_columns[] =
    COLUMNS(COLUMN(spot, id, "id"), COLUMN(spot, spotted_at_ms, "spotted_at"),
            COLUMN(spot, spotter, "spotter"), COLUMN(spot, dx_callsign, "dx_callsign"),
            COLUMN(spot, frequency_hz, "frequency"), COLUMN(spot, source, "source"),
            COLUMN(spot, comment, "comment"));
ROW_READER(network_columns, STATEMENT_LIST_NETWORK_SPOTS_FOR_ALERTS);

/* Reads the spots after the last examined spots. */
static enum store_result read_spots(struct reading *reading, const struct examined *examined,
                                    int64_t now_ms)
{
    struct store *store = reading->store;
    const int64_t from_ms = now_ms - ALERT_SPOT_AGE_MS;
    reading->last = *examined;
    reading->spots = arena_allocate(reading->arena, 2 * SPOTS_AT_ONCE * sizeof *reading->spots);
    enum store_result result = spots_visit(
        store,
        store_with(store, STATEMENT_LIST_SPOTS_FOR_ALERTS, BIND("id", examined->spot_id),
                   BIND("from", from_ms), BIND("limit", SPOTS_AT_ONCE)),
        spot_columns, keep_spot, reading);
    for (size_t i = 0; i < reading->count; i++)
        THEN(result, store_find_integer(store, "member_id", &reading->spots[i].member_id,
                                        STATEMENT_FIND_SPOT_MEMBER,
                                        BIND("id", reading->spots[i].spot.qso_id)));
    return THEN(result, spots_visit(store,
                                    store_with(store, STATEMENT_LIST_NETWORK_SPOTS_FOR_ALERTS,
                                               BIND("id", examined->network_spot_id),
                                               BIND("from", from_ms), BIND("limit", SPOTS_AT_ONCE)),
                                    network_columns, keep_spot, reading));
}

enum store_result alert_queue_add(struct transaction *transaction, int64_t member_id,
                                  struct text rule, const struct spot *spot, enum alert_held held)
{
    struct match_callsign dx;
    match_normalise_callsign(spot->dx_callsign, &dx);
    return store_run(transaction->store, STATEMENT_INSERT_ALERT, BIND("member_id", member_id),
                     BIND("at", transaction->written_at_ms), BIND("rule", rule),
                     BIND("dx_callsign", spot->dx_callsign), BIND("dx_key", match_text(&dx)),
                     BIND("spotter", spot->spotter), BIND("band", spot->band),
                     BIND_OR_NULL("frequency", spot->frequency_hz),
                     BIND_OR_NULL("channel", spot->channel),
                     BIND_IF(spot->mode >= 0, "mode", spot->mode), BIND_OR_NULL("held", held));
}

/* Stores the alert for a match, unless the station has had an alert within the rule's pause. */
static enum store_result store_match(struct transaction *transaction,
                                     const struct alert_match *match)
{
    struct store *store = transaction->store;
    const int64_t now_ms = transaction->written_at_ms;
    struct match_callsign dx;
    enum alert_held held = match->held;
    bool is_paused = false;
    int64_t sent = 0;
    match_normalise_callsign(match->spot->spot.dx_callsign, &dx);
    enum store_result result =
        store_find_integer(store, "alerts", &sent, STATEMENT_COUNT_ALERTS_SENT,
                           BIND("member_id", match->member_id), BIND("after", now_ms - HOUR_MS));
    if (!held && sent >= match->hourly)
        held = ALERT_HELD_BY_HOUR;
    THEN(result, store_has(store, &is_paused, STATEMENT_FIND_ALERT_OF_STATION,
                           BIND("member_id", match->member_id), BIND("dx_key", match_text(&dx)),
                           BIND("after", now_ms - match->pause * DATETIME_MINUTE_MS),
                           BIND("is_held", held != ALERT_NOT_HELD)));
    if (result != STORE_DONE || is_paused)
        return result;
    THEN(result,
         alert_queue_add(transaction, match->member_id, match->rule, &match->spot->spot, held));
    if (held)
        return result;
    return THEN(result,
                store_run(store, STATEMENT_INSERT_ALERT_DELIVERIES,
                          BIND("alert_id", sqlite3_last_insert_rowid(store->database->handle)),
                          BIND("member_id", match->member_id)));
}

/* Records the run. This write waits for a transaction that is storing a spot right now. So the spot
 * that started this run is read. */
static enum store_result record_run(struct store *store)
{
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    THEN(result,
         store_run(store, STATEMENT_RECORD_ALERT_RUN, BIND("ran_at", transaction.written_at_ms)));
    THEN(result, store_run(store, STATEMENT_DELETE_OLD_ALERTS,
                           BIND("before", store_old_before(&transaction,
                                                           ALERT_KEPT_DAYS * DATETIME_DAY_MS))));
    return store_finish(&transaction, result);
}

/* Stores the alerts and the position, unless another process has examined spots since `before`. */
static enum store_result store_matches(struct store *store, const struct examined *before,
                                       const struct examined *after,
                                       const struct alert_matches *matches)
{
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    THEN(result, store_change(store, STATEMENT_ADVANCE_ALERTS, BIND("spot_id", after->spot_id),
                              BIND("network_spot_id", after->network_spot_id),
                              BIND("before_spot_id", before->spot_id),
                              BIND("before_network_spot_id", before->network_spot_id)));
    for (size_t i = 0; i < matches->count; i++)
        THEN(result, store_match(&transaction, &matches->items[i]));
    result = store_finish(&transaction, result);
    return result == STORE_NONE ? STORE_DONE : result;
}

/* Matches some of the new spots. *is_last becomes whether no spot is left. */
static enum store_result match_some(struct store *store, bool *is_last)
{
    struct arena arena = {0};
    struct reading reading = {.store = store, .arena = &arena};
    struct alert_matches matches = {.arena = &arena};
    struct examined before = {0};
    int64_t now_ms = clock_wall_ms();
    enum store_result result = store_begin_read(store, &now_ms);
    if (result == STORE_DONE) {
        result = read_examined(store, &before);
        THEN(result, read_spots(&reading, &before, now_ms));
        if (!before.is_off)
            THEN(result, alert_match_spots(store, reading.spots, reading.count, now_ms, &matches));
        store_end_read(store);
    }
    *is_last = reading.count == 0;
    if (reading.count > 0)
        THEN(result, store_matches(store, &before, &reading.last, &matches));
    arena_free(&arena);
    return result;
}

enum store_result store_match_alerts(struct store *store)
{
    bool is_last = false;
    enum store_result result = record_run(store);
    while (result == STORE_DONE && !is_last)
        result = match_some(store, &is_last);
    return result;
}

enum store_result store_begin_alerts(struct store *store, struct arena *arena,
                                     struct alert_delivery out[ALERT_BATCH], size_t *count)
{
    static const struct read_column columns[] = COLUMNS(
        COLUMN(alert_delivery, alert_id, "alert_id"), COLUMN(alert_delivery, way_id, "way_id"),
        COLUMN(alert_delivery, tries, "tries"), COLUMN(alert_delivery, rule, "rule"),
        COLUMN(alert_delivery, spot.spotted_at_ms, "at"),
        COLUMN(alert_delivery, spot.dx_callsign, "dx_callsign"),
        COLUMN(alert_delivery, spot.spotter, "spotter"), COLUMN(alert_delivery, spot.band, "band"),
        COLUMN(alert_delivery, spot.frequency_hz, "frequency"),
        COLUMN(alert_delivery, spot.channel, "channel"),
        COLUMN_OR(alert_delivery, spot.mode, "mode", -1), COLUMN(alert_delivery, way.kind, "kind"),
        COLUMN(alert_delivery, way.address, "address"),
        COLUMN(alert_delivery, way.is_put, "is_put"), COLUMN(alert_delivery, way.format, "format"),
        COLUMN(alert_delivery, way.headers, "headers"), COLUMN(alert_delivery, way.body, "body"));
    ROW_READER(columns, STATEMENT_LIST_DUE_ALERTS);
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    const int64_t now_ms = transaction.written_at_ms;
    *count = 0;
    THEN(result, store_run(store, STATEMENT_DROP_LATE_ALERTS, BIND("now", now_ms),
                           BIND("before", now_ms - ALERT_AGE_MS)));
    if (result == STORE_DONE) {
        struct statement *list = store_with(store, STATEMENT_LIST_DUE_ALERTS, BIND("now", now_ms),
                                            BIND("limit", ALERT_BATCH));
        while (*count < ALERT_BATCH && database_next(store->database, list, &result)) {
            struct alert_delivery *delivery = &out[(*count)++];
            *delivery = (struct alert_delivery){0};
            database_read(list, columns, arena, delivery);
            delivery->way.point = database_keep_text(list, "point", arena);
            delivery->way.secret = database_keep_text(list, "secret", arena);
        }
        sqlite3_reset(list->handle);
    }
    for (size_t i = 0; i < *count; i++)
        THEN(result, store_run(store, STATEMENT_BEGIN_ALERT, BIND("alert_id", out[i].alert_id),
                               BIND("way_id", out[i].way_id)));
    return store_finish(&transaction, result);
}

static enum store_result end_one(struct transaction *transaction, const struct alert_result *ended)
{
    enum { TO_SEND, BEGUN, SENT, FAILED };
    struct store *store = transaction->store;
    const int64_t now_ms = transaction->written_at_ms;
    const bool is_again = ended->outcome == ALERT_AGAIN, is_sent = ended->outcome == ALERT_SENT;
    enum store_result result =
        store_run(store, STATEMENT_END_ALERT, BIND("alert_id", ended->alert_id),
                  BIND("way_id", ended->way_id), BIND("due_at", now_ms + ended->wait_ms),
                  BIND("state", is_again  ? TO_SEND
                                : is_sent ? SENT
                                          : FAILED));
    if (is_sent)
        return THEN(result, store_run(store, STATEMENT_NOTE_ALERT_WAY_SENT,
                                      BIND("id", ended->way_id), BIND("now", now_ms)));
    return THEN(result, store_run(store, STATEMENT_NOTE_ALERT_WAY_FAILED, BIND("id", ended->way_id),
                                  BIND("now", now_ms), BIND("failure", ended->failure),
                                  BIND("has_ended", ended->outcome == ALERT_GONE)));
}

enum store_result store_end_alerts(struct store *store, const struct alert_result *results,
                                   size_t count)
{
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    for (size_t i = 0; i < count; i++)
        THEN(result, end_one(&transaction, &results[i]));
    return store_finish(&transaction, result);
}

enum store_result store_try_alert_way(struct store *store, int64_t member_id, int64_t way_id,
                                      const struct spot *spot)
{
    struct transaction transaction;
    int64_t tried = 0;
    enum store_result result = store_begin_write(store, &transaction);
    const int64_t now_ms = transaction.written_at_ms;
    THEN(result, store_change(store, STATEMENT_REVIVE_ALERT_WAY, BIND("id", way_id),
                              BIND("member_id", member_id)));
    THEN(result, store_find_integer(store, "alerts", &tried, STATEMENT_COUNT_ALERT_TRIALS,
                                    BIND("member_id", member_id), BIND("after", now_ms - HOUR_MS)));
    if (result == STORE_DONE && tried >= ALERT_HOURLY_MAX)
        result = STORE_REFUSED;
    THEN(result, alert_queue_add(&transaction, member_id, (struct text){0}, spot, ALERT_NOT_HELD));
    THEN(result, store_run(store, STATEMENT_INSERT_ALERT_DELIVERY,
                           BIND("alert_id", sqlite3_last_insert_rowid(store->database->handle)),
                           BIND("way_id", way_id)));
    result = store_finish(&transaction, result);
    if (result == STORE_DONE)
        alert_wake(store);
    return result;
}
