/* Publishes and lists spots of QSOs. A published spot never changes: later writes to its QSO leave
 * it unchanged, and deleting the QSO deletes the spot through the schema's foreign key.
 * src/qso/spot.c builds the content of a spot. */
#include "store/log/spots.h"

#include <string.h>

#include "base/datetime.h"
#include "base/text.h"
#include "qso/fields.h"
#include "qso/match_callsign.h"
#include "store/alert_wake.h"
#include "store/confirm/partners.h"
#include "store/store.h"
#include "store/transaction.h"

enum store_result spots_have_room(struct transaction *transaction, int64_t member_id, bool *room)
{
    struct store *store = transaction->store;
    int64_t spots = 0;
    enum store_result result =
        store_run(store, STATEMENT_DELETE_OLD_SPOT_TIMES, BIND("member_id", member_id),
                  BIND("before", transaction->written_at_ms - DATETIME_MINUTE_MS),
                  BIND("now", transaction->written_at_ms));
    THEN(result, store_find_integer(store, "spots", &spots, STATEMENT_COUNT_SPOT_TIMES,
                                    BIND("member_id", member_id)));
    *room = spots < STORE_SPOTS_A_MINUTE;
    return result;
}

enum store_result spots_publish(struct transaction *transaction, const struct qso *qso,
                                const struct identity *member)
{
    struct store *store = transaction->store;
    struct match_callsign callsign, dx;
    struct spot spot;
    bool allowed = false;
    spot_of_qso(qso, member->callsign, transaction->written_at_ms, &spot);
    match_normalise_callsign(spot.spotter, &callsign);
    enum store_result result = partners_may_use(store, member->member_id, &callsign, &allowed);
    if (!allowed)
        spot.spotter = member->callsign; /* the station callsign belongs to another member */
    THEN(result, store_run(store, STATEMENT_INSERT_SPOT_TIME, BIND("member_id", member->member_id),
                           BIND("spotted_at", transaction->written_at_ms)));
    THEN(result, alert_wake_for_spot(transaction));
    return THEN(
        result,
        store_run(store, STATEMENT_INSERT_SPOT, BIND("qso_id", spot.qso_id),
                  BIND("spotted_at", spot.spotted_at_ms), BIND("spotter", spot.spotter),
                  BIND("spotter_unicode", match_find_unicode_key(spot.spotter, &callsign)),
                  BIND("dx_callsign", spot.dx_callsign),
                  BIND("dx_unicode", match_find_unicode_key(spot.dx_callsign, &dx)),
                  BIND("band", spot.band), BIND_OR_NULL("frequency", spot.frequency_hz),
                  BIND_OR_NULL("channel", spot.channel), BIND("ctcss_tone", spot.ctcss_tone),
                  BIND("dcs_code", spot.dcs_code), BIND_IF(spot.mode >= 0, "mode", spot.mode),
                  BIND("my_locator", spot.my_locator), BIND("dx_locator", spot.dx_locator)));
}

#define PMR446_FROM_HZ 446000000

/* Returns the mode at the beginning of a comment such as "USB 59 in Oslo". Returns -1 if the
 * comment does not begin with a mode. */
static int mode_of_comment(struct text comment)
{
    const char *end = comment.length ? memchr(comment.bytes, ' ', comment.length) : NULL;
    struct text word = {comment.bytes, end ? (size_t)(end - comment.bytes) : comment.length};
    const char *const *modes = fields[FIELD_MODE].choices;
    for (int mode = 0; modes[mode]; mode++)
        if (text_equals_ignoring_case(word, modes[mode]))
            return mode;
    return -1;
}

static const struct read_column spot_columns[] =
    COLUMNS(COLUMN(spot, id, "id"), COLUMN(spot, qso_id, "qso_id"),
            COLUMN(spot, spotted_at_ms, "spotted_at"), COLUMN(spot, spotter, "spotter"),
            COLUMN(spot, dx_callsign, "dx_callsign"), COLUMN(spot, band, "band"),
            COLUMN(spot, frequency_hz, "frequency"), COLUMN(spot, channel, "channel"),
            COLUMN(spot, ctcss_tone, "ctcss_tone"), COLUMN(spot, dcs_code, "dcs_code"),
            COLUMN_OR(spot, mode, "mode", -1), COLUMN(spot, my_locator, "my_locator"),
            COLUMN(spot, dx_locator, "dx_locator"));

ROW_READER(spot_columns, STATEMENT_LIST_SPOTS);
ROW_READER(spot_columns, STATEMENT_LIST_WANTED_SPOTS);
ROW_READER(spot_columns, STATEMENT_LIST_SPOTS_OF_STATION);
ROW_READER(spot_columns, STATEMENT_LIST_ANNOUNCED_SPOTS);

enum store_result spots_visit(struct store *store, struct statement *list,
                              const struct read_column *columns, spot_visitor *visit, void *context)
{
    struct spot spot = {0};
    enum store_result result = STORE_DONE;
    while (database_next_row(store->database, list, columns, &spot, &result)) {
        if (spot.source.bytes) {
            spot.band = spot.frequency_hz < PMR446_FROM_HZ ? BAND_ELEVEN_METERS : BAND_PMR446;
            spot.mode = mode_of_comment(spot.comment);
        }
        if (!visit(context, &spot))
            result = STORE_NONE;
    }
    return result == STORE_NONE ? STORE_DONE : result;
}

enum store_result store_list_spots(struct store *store, int64_t before, spot_visitor *visit,
                                   void *context)
{
    return spots_visit(store, store_with(store, STATEMENT_LIST_SPOTS, BIND("id", before)),
                       spot_columns, visit, context);
}

/* Returns the callsign for a search in the index, or no text if the index cannot find the callsign.
 * For older spots, the index contains letters beyond ASCII as they were sent, so only the caller
 * can compare such letters. */
static struct text part_in_index(const struct match_callsign *callsign)
{
    for (size_t i = 0; i < callsign->length; i++)
        if ((unsigned char)callsign->bytes[i] >= 0x80)
            return (struct text){0};
    return callsign->length > 0 ? match_text(callsign) : (struct text){0};
}

static bool wants_all(const struct spot_query *query)
{
    return query->band < 0 && query->mode < 0 && !query->from_hz && !query->to_hz &&
           !query->division && !query->callsign.length && !query->not_before_ms;
}

/* Finds the newest spot that the query does not examine. *end stays zero if every spot is examined.
 */
static enum store_result find_end(struct store *store, int64_t before_id, struct spot *end)
{
    static const struct read_column columns[] =
        COLUMNS(COLUMN(spot, id, "id"), COLUMN(spot, spotted_at_ms, "spotted_at"));
    ROW_READER(columns, STATEMENT_FIND_SPOT_BEFORE);
    enum store_result result = store_find(store, columns, NULL, end, STATEMENT_FIND_SPOT_BEFORE,
                                          BIND("id", before_id), BIND("before", SPOTS_LOOKED_AT));
    return result == STORE_NONE ? STORE_DONE : result;
}

enum store_result store_list_wanted_spots(struct store *store, const struct spot_query *query,
                                          spot_visitor *visit, void *context, int64_t *before_id)
{
    struct spot end = {0};
    *before_id = 0;
    if (wants_all(query))
        return store_list_spots(store, query->before_id, visit, context);
    enum store_result result = find_end(store, query->before_id, &end);
    if (result != STORE_DONE)
        return result;
    if (end.id && end.spotted_at_ms >= query->not_before_ms)
        *before_id = end.id + 1;
    struct statement *list = store_with(
        store, STATEMENT_LIST_WANTED_SPOTS, BIND("id", query->before_id), BIND("after_id", end.id),
        BIND("not_before", query->not_before_ms), BIND_IF(query->band >= 0, "band", query->band),
        BIND_IF(query->mode >= 0, "mode", query->mode), BIND_OR_NULL("from", query->from_hz),
        BIND_OR_NULL("to", query->to_hz), BIND_OR_NULL("division", query->division),
        BIND("callsign", part_in_index(&query->callsign)));
    return spots_visit(store, list, spot_columns, visit, context);
}

enum store_result store_list_spots_of_station(struct store *store, struct text callsign,
                                              int64_t limit, spot_visitor *visit, void *context)
{
    struct match_callsign normal;
    match_normalise_callsign(callsign, &normal);
    return spots_visit(store,
                       store_with(store, STATEMENT_LIST_SPOTS_OF_STATION,
                                  BIND("callsign", match_text(&normal)), BIND("limit", limit)),
                       spot_columns, visit, context);
}

enum store_result store_find_last_spot(struct store *store, int64_t *id)
{
    return store_find_integer(store, "id", id, STATEMENT_FIND_LAST_SPOT);
}

enum store_result store_list_announced_spots(struct store *store, int64_t id, int64_t from_ms,
                                             spot_visitor *visit, void *context)
{
    return spots_visit(
        store,
        store_with(store, STATEMENT_LIST_ANNOUNCED_SPOTS, BIND("id", id), BIND("from", from_ms)),
        spot_columns, visit, context);
}
