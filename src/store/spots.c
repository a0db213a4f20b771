/* Spots as they were published: later writes to the QSO do not change them; its deletion deletes
 * them (by the schema's foreign key). How many a member may publish in a minute is counted here.
 * What a spot says is made in src/qso/spot.c. */
#include "store/spots.h"

#include <stdio.h>
#include <string.h>

#include "base/datetime.h"
#include "base/keyed_hash.h"
#include "base/text.h"
#include "base/uuid.h"
#include "qso/fields.h"
#include "qso/match.h"
#include "store/confirmations.h"
#include "store/store.h"
#include "store/transaction.h"

enum store_result spots_have_room(struct transaction *transaction, int64_t member_id, bool *room)
{
    struct store *store = transaction->store;
    struct statement *remove =
        store_member_statement(store, STATEMENT_DELETE_OLD_SPOT_TIMES, member_id);
    database_bind_integer(remove, ":before", transaction->written_at_ms - DATETIME_MINUTE_MS);
    database_bind_integer(remove, ":now", transaction->written_at_ms);
    enum store_result result = database_run(store->database, remove);
    if (result != STORE_DONE)
        return result;
    struct statement *count = store_member_statement(store, STATEMENT_COUNT_SPOT_TIMES, member_id);
    int64_t spots = 0;
    result = database_find_integer(store->database, count, "spots", &spots);
    *room = spots < STORE_SPOTS_A_MINUTE;
    return result;
}

static enum store_result count_spot(struct transaction *transaction, int64_t member_id)
{
    struct store *store = transaction->store;
    struct statement *insert = store_member_statement(store, STATEMENT_INSERT_SPOT_TIME, member_id);
    database_bind_integer(insert, ":spotted_at", transaction->written_at_ms);
    return database_run(store->database, insert);
}

/* The member's own callsign takes the place of another member's. */
static enum store_result choose_spotter(struct transaction *transaction,
                                        const struct identity *member, struct text *spotter)
{
    struct match_callsign callsign;
    bool allowed = false;
    match_normalise_callsign(*spotter, &callsign);
    enum store_result result =
        partners_may_use(transaction->store, member->member_id, &callsign, &allowed);
    if (!allowed)
        *spotter = member->callsign;
    return result;
}

enum store_result spots_publish(struct transaction *transaction, const struct qso *qso,
                                const struct identity *member)
{
    struct store *store = transaction->store;
    struct spot spot;
    spot_of_qso(qso, member->callsign, transaction->written_at_ms, &spot);
    enum store_result result = choose_spotter(transaction, member, &spot.spotter);
    if (result == STORE_DONE)
        result = count_spot(transaction, member->member_id);
    if (result != STORE_DONE)
        return result;
    struct statement *insert = database_statement(store->database, STATEMENT_INSERT_SPOT);
    database_bind_integer(insert, ":qso_id", spot.qso_id);
    database_bind_integer(insert, ":spotted_at", spot.spotted_at_ms);
    database_bind_text(insert, ":spotter", spot.spotter);
    database_bind_text(insert, ":dx_callsign", spot.dx_callsign);
    database_bind_integer(insert, ":band", spot.band);
    database_bind_integer_or_null(insert, ":frequency", spot.frequency_hz);
    database_bind_integer_or_null(insert, ":channel", spot.channel);
    database_bind_text(insert, ":ctcss_tone", spot.ctcss_tone);
    database_bind_text(insert, ":dcs_code", spot.dcs_code);
    database_bind_null(insert, ":mode");
    if (spot.mode >= 0)
        database_bind_integer(insert, ":mode", spot.mode);
    database_bind_text(insert, ":my_locator", spot.my_locator);
    database_bind_text(insert, ":dx_locator", spot.dx_locator);
    return database_run(store->database, insert);
}

/* Visits the rows of a list with the columns of spots. */
static enum store_result visit_spots(struct store *store, struct statement *list,
                                     spot_visitor *visit, void *context)
{
    enum store_result result = STORE_DONE;
    while (database_next(store->database, list, &result)) {
        struct spot spot = {
            .id = database_read_integer(list, "id"),
            .qso_id = database_read_integer(list, "qso_id"),
            .spotted_at_ms = database_read_integer(list, "spotted_at"),
            .spotter = database_read_text(list, "spotter"),
            .dx_callsign = database_read_text(list, "dx_callsign"),
            .band = (enum band)database_read_integer(list, "band"),
            .frequency_hz = database_read_integer(list, "frequency"),
            .channel = database_read_integer(list, "channel"),
            .ctcss_tone = database_read_text(list, "ctcss_tone"),
            .dcs_code = database_read_text(list, "dcs_code"),
            .mode = (int)database_read_integer_or(list, "mode", -1),
            .my_locator = database_read_text(list, "my_locator"),
            .dx_locator = database_read_text(list, "dx_locator"),
        };
        if (!visit(context, &spot))
            result = STORE_NONE;
    }
    return result == STORE_NONE ? STORE_DONE : result;
}

enum store_result store_list_spots(struct store *store, spot_visitor *visit, void *context)
{
    return store_list_spots_before(store, INT64_MAX, visit, context);
}

enum store_result store_list_spots_before(struct store *store, int64_t id, spot_visitor *visit,
                                          void *context)
{
    struct statement *list = database_statement(store->database, STATEMENT_LIST_SPOTS_BEFORE);
    database_bind_integer(list, ":id", id);
    return visit_spots(store, list, visit, context);
}

enum store_result store_list_spots_after(struct store *store, int64_t id, spot_visitor *visit,
                                         void *context)
{
    struct statement *list = database_statement(store->database, STATEMENT_LIST_SPOTS_AFTER);
    database_bind_integer(list, ":id", id);
    return visit_spots(store, list, visit, context);
}

enum store_result store_list_member_spots(struct store *store, int64_t member_id,
                                          spot_visitor *visit, void *context)
{
    struct statement *list = store_member_statement(store, STATEMENT_LIST_MEMBER_SPOTS, member_id);
    return visit_spots(store, list, visit, context);
}

/* -- Spots of other clusters ------------------------------------------------------------------- */

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
    *since_ms = 0;
    enum store_result result = database_find_integer(store->database, find, "since", since_ms);
    return result == STORE_NONE ? STORE_DONE : result;
}

enum store_result store_set_announcer(struct store *store, int64_t member_id, bool announces)
{
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    if (result != STORE_DONE)
        return result;
    struct statement *change = store_member_statement(
        store, announces ? STATEMENT_INSERT_ANNOUNCER : STATEMENT_DELETE_ANNOUNCER, member_id);
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
    return visit_spots(store, list, visit, context);
}

/* -- Members at the cluster feed --------------------------------------------------------------- */

/* SipHash is made for this: who sees codes learns nothing of the key. */
static void format_code(const unsigned char secret[UUID_BYTES], int64_t password_set_at_ms,
                        char out[FEED_CODE_LENGTH + 1])
{
    char subject[64];
    struct keyed_hash hash;
    _Static_assert(sizeof hash.key == UUID_BYTES, "the secret is a key");
    memcpy(hash.key, secret, sizeof hash.key);
    int length =
        snprintf(subject, sizeof subject, "DX cluster feed %lld", (long long)password_set_at_ms);
    snprintf(out, FEED_CODE_LENGTH + 1, "%016llX",
             (unsigned long long)keyed_hash_of(&hash, subject, (size_t)length));
}

static enum store_result find_or_make_secret(struct store *store, int64_t member_id,
                                             unsigned char secret[UUID_BYTES])
{
    enum store_result result = store_find_client_id_secret(store, member_id, secret);
    return result == STORE_NONE ? store_make_client_id_secret(store, member_id, secret) : result;
}

static enum store_result find_password_time(struct store *store, int64_t member_id, int64_t *ms)
{
    struct statement *find = database_statement(store->database, STATEMENT_FIND_FEED_REVISION);
    database_bind_integer(find, ":id", member_id);
    return database_find_integer(store->database, find, "password_set_at", ms);
}

enum store_result store_make_feed_code(struct store *store, int64_t member_id,
                                       char out[FEED_CODE_LENGTH + 1])
{
    struct transaction transaction;
    unsigned char secret[UUID_BYTES];
    int64_t password_set_at_ms = 0;
    enum store_result result = store_begin_write(store, &transaction);
    if (result != STORE_DONE)
        return result;
    result = find_or_make_secret(store, member_id, secret);
    if (result == STORE_DONE)
        result = find_password_time(store, member_id, &password_set_at_ms);
    result = store_finish(&transaction, result);
    if (result == STORE_DONE)
        format_code(secret, password_set_at_ms, out);
    return result;
}

/* In a time that says nothing of where they differ. */
static bool same_code(struct text code, const char expected[FEED_CODE_LENGTH + 1])
{
    unsigned char difference = code.length != FEED_CODE_LENGTH;
    for (size_t i = 0; i < FEED_CODE_LENGTH && i < code.length; i++)
        difference |= (unsigned char)(code.bytes[i] ^ expected[i]);
    return difference == 0;
}

enum store_result store_find_feed_member(struct store *store, struct text callsign,
                                         struct text code, struct feed_member *out)
{
    struct statement *find = database_statement(store->database, STATEMENT_FIND_FEED_MEMBER);
    struct match_callsign normal;
    char expected[FEED_CODE_LENGTH + 1] = "";
    match_normalise_callsign(callsign, &normal);
    database_bind_text(find, ":callsign", (struct text){normal.bytes, normal.length});
    enum store_result result = database_step(store->database, find);
    if (result != STORE_DONE)
        return result;
    *out = (struct feed_member){
        .id = database_read_integer(find, "id"),
        .log_revision = database_read_integer(find, "log_revision"),
        .password_set_at_ms = database_read_integer(find, "password_set_at"),
    };
    format_code(database_read_blob(find, "client_id_secret"), out->password_set_at_ms, expected);
    sqlite3_reset(find->handle);
    return same_code(code, expected) ? STORE_DONE : STORE_NONE;
}

enum store_result store_renew_feed_member(struct store *store, struct feed_member *member)
{
    struct statement *find = database_statement(store->database, STATEMENT_FIND_FEED_REVISION);
    database_bind_integer(find, ":id", member->id);
    enum store_result result = database_step(store->database, find);
    if (result != STORE_DONE)
        return result;
    member->log_revision = database_read_integer(find, "log_revision");
    bool is_same = database_read_integer(find, "password_set_at") == member->password_set_at_ms;
    sqlite3_reset(find->handle);
    return is_same ? STORE_DONE : STORE_NONE;
}
