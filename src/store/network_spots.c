/* Keeps the spots that other clusters sent, in a table that nothing of a member refers to: neither
 * the feed nor the API reads it, so that no spot goes round in a circle. The spots page shows them.
 * What a line says is read by src/feed/received.c. Here is also who agreed that spots go out to
 * those clusters. */
#include "store/network_spots.h"

#include <string.h>

#include "base/datetime.h"
#include "base/text.h"
#include "qso/fields.h"
#include "store/store.h"
#include "store/transaction.h"

#define SAME_SPOT_MS (10 * DATETIME_MINUTE_MS)

static enum store_result add(struct database *database, const struct network_spot *spot)
{
    struct statement *insert = database_statement(database, STATEMENT_INSERT_NETWORK_SPOT);
    database_bind_text(insert, ":source", text_of(spot->source));
    database_bind_text(insert, ":spotter", text_of(spot->spotter));
    database_bind_text(insert, ":callsign", text_of(spot->callsign));
    database_bind_text(insert, ":comment", text_of(spot->comment));
    database_bind_integer(insert, ":frequency", spot->frequency_hz);
    database_bind_integer(insert, ":spotted_at", spot->spotted_at_ms);
    database_bind_integer(insert, ":from", spot->spotted_at_ms - SAME_SPOT_MS);
    database_bind_integer(insert, ":to", spot->spotted_at_ms + SAME_SPOT_MS);
    return database_run(database, insert);
}

static enum store_result remove_old(struct database *database, int64_t now_ms)
{
    struct statement *remove = database_statement(database, STATEMENT_DELETE_OLD_NETWORK_SPOTS);
    database_bind_integer(remove, ":before", now_ms - DATETIME_DAY_MS);
    database_bind_integer(remove, ":kept", NETWORK_SPOTS_KEPT);
    return database_run(database, remove);
}

enum store_result store_add_network_spots(struct store *store, const struct network_spot *spots,
                                          int count, int64_t now_ms)
{
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    if (result != STORE_DONE)
        return result;
    for (int i = 0; i < count && result == STORE_DONE; i++)
        result = add(store->database, &spots[i]);
    if (result == STORE_DONE)
        result = remove_old(store->database, now_ms);
    return store_finish(&transaction, result);
}

#define PMR446_FROM_HZ 446000000

/* The choice that a comment begins with, as "USB 59 in Oslo" does; -1: none. */
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

enum store_result store_list_network_spots(struct store *store, int64_t now_ms, spot_visitor *visit,
                                           void *context)
{
    struct statement *list = database_statement(store->database, STATEMENT_LIST_NETWORK_SPOTS);
    database_bind_integer(list, ":from", now_ms - DATETIME_DAY_MS);
    enum store_result result = STORE_DONE;
    while (database_next(store->database, list, &result)) {
        struct spot spot = {
            .id = database_read_integer(list, "id"),
            .spotted_at_ms = database_read_integer(list, "spotted_at"),
            .spotter = database_read_text(list, "spotter"),
            .dx_callsign = database_read_text(list, "callsign"),
            .frequency_hz = database_read_integer(list, "frequency"),
            .source = database_read_text(list, "source"),
            .comment = database_read_text(list, "comment"),
        };
        spot.band = spot.frequency_hz < PMR446_FROM_HZ ? BAND_ELEVEN_METERS : BAND_PMR446;
        spot.mode = mode_of_comment(spot.comment);
        if (!visit(context, &spot))
            result = STORE_NONE;
    }
    return result == STORE_NONE ? STORE_DONE : result;
}

/* -- Out --------------------------------------------------------------------------------------- */

enum store_result store_read_announcer(struct store *store, int64_t member_id, int64_t *since_ms)
{
    struct statement *find = store_member_statement(store, STATEMENT_FIND_ANNOUNCER, member_id);
    enum store_result result = database_step(store->database, find);
    *since_ms = result == STORE_DONE ? database_read_integer(find, "since") : 0;
    sqlite3_reset(find->handle);
    return result == STORE_NONE ? STORE_DONE : result;
}

enum store_result store_set_announcer(struct store *store, int64_t member_id, bool announces)
{
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    if (result != STORE_DONE)
        return result;
    struct statement *change = database_statement(
        store->database, announces ? STATEMENT_INSERT_ANNOUNCER : STATEMENT_DELETE_ANNOUNCER);
    database_bind_integer(change, ":member_id", member_id);
    if (announces)
        database_bind_integer(change, ":since", transaction.written_at_ms);
    return store_finish(&transaction, database_run(store->database, change));
}

enum store_result store_find_last_spot(struct store *store, int64_t *id)
{
    struct statement *find = database_statement(store->database, STATEMENT_FIND_LAST_SPOT);
    return database_find_integer(store->database, find, "id", id);
}

enum store_result store_list_announced_spots(struct store *store, int64_t id, int64_t from_ms,
                                             spot_visitor *visit, void *context)
{
    struct statement *list = database_statement(store->database, STATEMENT_LIST_ANNOUNCED_SPOTS);
    database_bind_integer(list, ":id", id);
    database_bind_integer(list, ":from", from_ms);
    return spots_visit(store, list, visit, context);
}
