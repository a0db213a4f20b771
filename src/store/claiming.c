/* Tells peers what our members claim: their logs are read in the order of their changes, one after
 * the other, and of each change only what a member of the peer is in. What was told is kept, so
 * that a QSO that changes, or goes, is withdrawn where it was told and nowhere else. */
#include "store/peers.h"

#include <stdlib.h>
#include <string.h>

#include "store/logbook.h"
#include "store/store.h"

/* Rows that one answer looks at, whatever it finds in them. */
#define ROWS_MAX 20000

/* One answer in the making. */
struct telling {
    struct store *store;
    struct arena *arena;
    const struct claiming_wish *wish;
    struct claiming_answer *answer;
    int64_t peer_id;
    int64_t since_ms; /* the earliest that is asked for */
    int rows;
    int64_t *news; /* whose QSO each item is, if the peer has not been told so before; or 0 */
};

static int compare_members(const void *a, const void *b)
{
    const struct match_callsign *left = &((const struct claiming_member *)a)->callsign,
                                *right = &((const struct claiming_member *)b)->callsign;
    return text_compare(match_text(left), match_text(right));
}

void claiming_sort_members(struct claiming_member *members, size_t count)
{
    qsort(members, count, sizeof *members, compare_members);
}

/* Whether the peer asks for changes at this time of QSOs with this callsign. */
static bool is_asked_for(const struct telling *telling, struct text callsign, int64_t at_ms)
{
    struct claiming_member key = {0};
    const struct claiming_member *found;
    if (!callsign.bytes || callsign.length > sizeof key.callsign.bytes)
        return false;
    memcpy(key.callsign.bytes, callsign.bytes, callsign.length);
    key.callsign.length = callsign.length;
    found = bsearch(&key, telling->wish->members, telling->wish->member_count, sizeof key,
                    compare_members);
    return found && at_ms > found->since_ms;
}

static struct text keep(struct arena *arena, struct text text)
{
    return (struct text){arena_copy(arena, text.bytes, text.length), text.length};
}

static bool is_full(const struct telling *telling)
{
    return telling->answer->count >= telling->wish->limit || telling->rows >= ROWS_MAX;
}

static struct claiming_item *add_item(struct telling *telling, int64_t id, int64_t news)
{
    struct claiming_answer *answer = telling->answer;
    struct claiming_item *item = &answer->items[answer->count];
    telling->news[answer->count++] = news;
    *item = (struct claiming_item){.id = id};
    return item;
}

/* -- The log of a member ----------------------------------------------------------------------- */

struct claimant {
    int64_t id;
    struct text callsign, key;
    bool active; /* otherwise nothing new is claimed */
};

static bool is_claimed(const struct claimant *claimant, const struct statement *row)
{
    struct text station = database_read_text(row, "operator_key");
    bool is_heard = !database_is_null(row, "qso_status") &&
                    database_read_integer(row, "qso_status") == QSO_STATUS_HRD;
    return !is_heard && (!station.bytes || text_equals(station, claimant->key)) &&
           (claimant->active || database_read_integer(row, "is_told"));
}

/* A QSO that is gone, or is no claim of what is asked for: it is withdrawn if the peer may have
 * been told that it is. */
static enum store_result withdraw(struct telling *telling, const struct claimant *claimant,
                                  int64_t id, int64_t at_ms)
{
    struct database *database = telling->store->database;
    struct statement *list =
        store_member_statement(telling->store, STATEMENT_LIST_CLAIMED, claimant->id);
    enum store_result result = STORE_DONE;
    bool found = false;
    database_bind_integer(list, ":qso_id", id);
    database_bind_integer(list, ":peer_id", telling->peer_id);
    while (database_next(database, list, &result))
        found = found || is_asked_for(telling, database_read_text(list, "worked_key"), at_ms);
    if (found) {
        struct claiming_item *item = add_item(telling, id, 0);
        item->is_withdrawn = true;
        item->at_ms = at_ms;
    }
    return result;
}

static enum store_result tell(struct telling *telling, const struct claimant *claimant,
                              const struct statement *row)
{
    struct text worked = database_read_text(row, "worked_key");
    const int64_t id = database_read_integer(row, "id"),
                  at_ms = database_read_integer(row, "synced_at");
    if (!is_claimed(claimant, row) || !is_asked_for(telling, worked, at_ms))
        return withdraw(telling, claimant, id, at_ms);
    struct claiming_item *item =
        add_item(telling, id, database_read_integer(row, "is_told") ? 0 : claimant->id);
    item->station = claimant->callsign;
    item->worked = keep(telling->arena, worked);
    item->band = database_read_integer(row, "band");
    item->channel = database_read_integer(row, "channel");
    item->mode_family = match_mode_family(
        database_is_null(row, "mode") ? MATCH_NO_MODE : database_read_integer(row, "mode"));
    item->qso_at_ms = database_read_integer(row, "qso_at");
    return STORE_DONE;
}

/* Goes on at the cursor, until the answer is full or nothing follows. */
static enum store_result walk(struct telling *telling, const struct claimant *claimant)
{
    struct claiming_cursor *cursor = &telling->answer->next;
    const bool deletions = cursor->deletions;
    struct database *database = telling->store->database;
    const char *time = deletions ? "deleted_at" : "synced_at";
    struct statement *list = store_member_statement(telling->store,
                                                    deletions ? STATEMENT_LIST_DELETIONS_TO_CLAIM
                                                              : STATEMENT_LIST_CHANGES_TO_CLAIM,
                                                    claimant->id);
    enum store_result result = STORE_DONE;
    if (!deletions)
        database_bind_integer(list, ":peer_id", telling->peer_id);
    database_bind_integer(list, deletions ? ":deleted_at" : ":synced_at",
                          cursor->position.synced_at_ms);
    database_bind_integer(list, ":id", cursor->position.id);
    database_bind_integer(list, ":limit", ROWS_MAX);
    while (!is_full(telling) && database_next(database, list, &result)) {
        telling->rows++;
        cursor->position =
            (struct position){database_read_integer(list, time), database_read_integer(list, "id")};
        result = deletions ? withdraw(telling, claimant, cursor->position.id,
                                      cursor->position.synced_at_ms)
                           : tell(telling, claimant, list);
    }
    sqlite3_reset(list->handle);
    return result;
}

static void begin_log(struct telling *telling, int64_t member_id, bool deletions)
{
    struct claiming_cursor *cursor = &telling->answer->next;
    cursor->member_id = member_id;
    cursor->deletions = deletions;
    cursor->position = (struct position){telling->since_ms, INT64_MAX};
}

static enum store_result walk_member(struct telling *telling, const struct claimant *claimant)
{
    struct claiming_cursor *cursor = &telling->answer->next;
    enum store_result result = STORE_DONE;
    if (cursor->member_id != claimant->id)
        begin_log(telling, claimant->id, false);
    if (!cursor->deletions) {
        result = walk(telling, claimant);
        if (is_full(telling))
            return result;
        begin_log(telling, claimant->id, true);
    }
    return result == STORE_DONE ? walk(telling, claimant) : result;
}

static enum store_result walk_all(struct telling *telling)
{
    struct database *database = telling->store->database;
    struct statement *list = database_statement(database, STATEMENT_LIST_CLAIMING_MEMBERS);
    enum store_result result = STORE_DONE;
    database_bind_integer(list, ":id", telling->answer->next.member_id);
    database_bind_integer(list, ":since", telling->since_ms);
    while (!is_full(telling) && database_next(database, list, &result)) {
        struct claimant claimant = {.id = database_read_integer(list, "id"),
                                    .callsign =
                                        database_keep_text(list, "callsign", telling->arena),
                                    .key = database_keep_text(list, "callsign_key", telling->arena),
                                    .active = database_read_integer(list, "active") != 0};
        result = walk_member(telling, &claimant);
    }
    sqlite3_reset(list->handle);
    telling->answer->has_more = is_full(telling);
    return result;
}

/* -- An answer --------------------------------------------------------------------------------- */

static int64_t find_earliest(const struct claiming_wish *wish)
{
    int64_t since_ms = INT64_MAX;
    for (size_t i = 0; i < wish->member_count; i++)
        if (wish->members[i].since_ms < since_ms)
            since_ms = wish->members[i].since_ms;
    return wish->member_count ? since_ms : 0;
}

/* The peer of the key, in the snapshot, and the state of the logbook. */
static enum store_result find_peer(struct telling *telling, int64_t now_ms)
{
    struct database *database = telling->store->database;
    struct claiming_answer *answer = telling->answer;
    struct statement *find = database_statement(database, STATEMENT_FIND_PEER_BY_FINGERPRINT);
    database_bind_blob(find, ":fingerprint", telling->wish->fingerprint, API_KEY_FINGERPRINT_BYTES);
    enum store_result result = database_step(database, find);
    if (result != STORE_DONE)
        return result;
    telling->peer_id = database_read_integer(find, "id");
    answer->log_epoch = database_read_integer(find, "log_epoch");
    answer->claims_epoch = database_read_integer(find, "claims_epoch");
    int64_t deletions_ms = database_read_integer(find, "deletions_since");
    if (!answer->next.server_time_ms)
        answer->next.server_time_ms =
            store_server_time(telling->store, now_ms, database_read_integer(find, "last_stamp"),
                              database_read_integer(find, "restored_at"));
    sqlite3_reset(find->handle);
    struct statement *all = database_statement(database, STATEMENT_FIND_DELETIONS_OF_ALL);
    result = database_step(database, all);
    if (result == STORE_DONE && database_read_integer(all, "deletions_since") > deletions_ms)
        deletions_ms = database_read_integer(all, "deletions_since");
    sqlite3_reset(all->handle);
    answer->complete = telling->since_ms == 0 || telling->since_ms >= deletions_ms;
    return result;
}

static enum store_result note_news(struct telling *telling)
{
    struct store *store = telling->store;
    const struct claiming_answer *answer = telling->answer;
    struct transaction transaction = {0};
    enum store_result result = STORE_DONE;
    for (size_t i = 0; i < answer->count && result == STORE_DONE; i++) {
        if (!telling->news[i])
            continue;
        if (!transaction.store)
            result = store_begin_write(store, &transaction);
        if (result != STORE_DONE)
            return result;
        struct statement *write =
            store_member_statement(store, STATEMENT_WRITE_CLAIMED, telling->news[i]);
        database_bind_integer(write, ":qso_id", answer->items[i].id);
        database_bind_integer(write, ":peer_id", telling->peer_id);
        database_bind_text(write, ":worked", answer->items[i].worked);
        result = database_run(store->database, write);
    }
    return transaction.store ? store_finish(&transaction, result) : result;
}

enum store_result store_tell_claims(struct store *store, struct arena *arena,
                                    const struct claiming_wish *wish,
                                    struct claiming_answer *answer)
{
    struct telling telling = {.store = store,
                              .arena = arena,
                              .wish = wish,
                              .answer = answer,
                              .since_ms = find_earliest(wish)};
    int64_t now_ms = wish->now_ms;
    *answer = (struct claiming_answer){.next = wish->cursor};
    answer->items = arena_allocate(arena, sizeof *answer->items * (wish->limit + 1));
    telling.news = arena_allocate(arena, sizeof *telling.news * (wish->limit + 1));
    enum store_result result = store_begin_read(store, &now_ms);
    if (result != STORE_DONE)
        return result;
    result = find_peer(&telling, now_ms);
    if (result == STORE_DONE && wish->member_count)
        result = walk_all(&telling);
    store_end_read(store);
    return result == STORE_DONE ? note_news(&telling) : result;
}

/* -- The member's own side --------------------------------------------------------------------- */

enum store_result store_read_claiming(struct store *store, int64_t member_id, bool *on)
{
    struct statement *find = store_member_statement(store, STATEMENT_FIND_CLAIMS_SWITCH, member_id);
    enum store_result result = database_step(store->database, find);
    if (result == STORE_DONE)
        *on = database_read_integer(find, "claims") != 0;
    sqlite3_reset(find->handle);
    return result;
}

enum store_result store_set_claiming(struct store *store, int64_t member_id, bool on)
{
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    if (result != STORE_DONE)
        return result;
    struct statement *update =
        store_member_statement(store, STATEMENT_UPDATE_CLAIMS_SWITCH, member_id);
    database_bind_integer(update, ":claims", on);
    result = database_run(store->database, update);
    for (bool last = on; result == STORE_DONE && !last;)
        result = peers_forget_member(&transaction, member_id, &last);
    return store_finish(&transaction, result);
}

static void read_confirmation(const struct statement *row, struct peer_confirmation *out)
{
    out->station = database_read_text(row, "station");
    out->club = database_read_text(row, database_is_null(row, "club") ? "name" : "club");
}

enum store_result store_find_peer_of_qso(struct store *store, struct arena *arena, int64_t qso_id,
                                         struct peer_confirmation *out)
{
    struct statement *find = database_statement(store->database, STATEMENT_FIND_PEER_OF_QSO);
    database_bind_integer(find, ":qso_id", qso_id);
    enum store_result result = database_step(store->database, find);
    if (result == STORE_DONE) {
        read_confirmation(find, out);
        out->qso_id = qso_id;
        out->station = keep(arena, out->station);
        out->club = keep(arena, out->club);
    }
    sqlite3_reset(find->handle);
    return result;
}
