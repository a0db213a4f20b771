/* Visits to peers: which of our members are asked for next. A visit asks once for each member:
 * first for everything about those who are new, then for what has changed about all others. It asks
 * for everything about all if members of ours have changed. What comes is left to pulls.c. */
#include "store/pulls.h"

#include "store/peers.h"
#include "store/store.h"

enum store_result pulls_find_state(struct store *store, int64_t peer_id, struct statement **find,
                                   struct pull_state *out)
{
    *find = database_statement(store->database, STATEMENT_FIND_PULL);
    database_bind_integer(*find, ":id", peer_id);
    enum store_result result = database_step(store->database, *find);
    if (result != STORE_DONE)
        return result;
    *out = (struct pull_state){.epoch = database_read_text(*find, "epoch"),
                               .cursor = database_read_text(*find, "cursor"),
                               .round = database_read_integer(*find, "round"),
                               .visit = database_read_integer(*find, "visit"),
                               .claims = database_read_integer(*find, "claims"),
                               .is_pulling = database_read_integer(*find, "is_pulling") != 0,
                               .is_outdated = database_read_integer(*find, "is_outdated") != 0};
    return STORE_DONE;
}

static enum store_result run_for_peer(struct store *store, enum statement_name name,
                                      const char *parameter, int64_t peer_id)
{
    struct statement *statement = database_statement(store->database, name);
    database_bind_integer(statement, parameter, peer_id);
    return database_run(store->database, statement);
}

enum store_result pulls_restart(struct store *store, int64_t peer_id)
{
    enum store_result result = run_for_peer(store, STATEMENT_BEGIN_ROUND, ":id", peer_id);
    return result == STORE_DONE
               ? run_for_peer(store, STATEMENT_BEGIN_ROUND_OF_MEMBERS, ":peer_id", peer_id)
               : result;
}

static struct statement *member_statement(struct store *store, enum statement_name name,
                                          int64_t peer_id, struct text callsign)
{
    struct statement *statement = database_statement(store->database, name);
    database_bind_integer(statement, ":peer_id", peer_id);
    database_bind_text(statement, ":callsign", callsign);
    return statement;
}

/* One callsign that is not asked for any more: *found is false if there is none. */
static enum store_result forget_gone(struct transaction *transaction, int64_t peer_id, bool *found)
{
    struct store *store = transaction->store;
    struct statement *list = database_statement(store->database, STATEMENT_LIST_GONE_PEER_MEMBERS);
    struct match_callsign key;
    database_bind_integer(list, ":peer_id", peer_id);
    enum store_result result = database_step(store->database, list);
    *found = result == STORE_DONE;
    if (!*found)
        return result == STORE_NONE ? STORE_DONE : result;
    match_normalise_callsign(database_read_text(list, "callsign_key"), &key);
    sqlite3_reset(list->handle);
    struct text callsign = {key.bytes, key.length};
    for (bool last = false; result == STORE_DONE && !last;)
        result = peers_forget_callsign(transaction, callsign, &last);
    return result == STORE_DONE
               ? database_run(store->database, member_statement(store, STATEMENT_DELETE_PEER_MEMBER,
                                                                peer_id, callsign))
               : result;
}

static enum store_result update_members(struct transaction *transaction, int64_t peer_id)
{
    struct store *store = transaction->store;
    enum store_result result =
        run_for_peer(store, STATEMENT_ADD_ALL_PEER_MEMBERS, ":peer_id", peer_id);
    for (bool found = true; result == STORE_DONE && found;)
        result = forget_gone(transaction, peer_id, &found);
    return result;
}

enum store_result pulls_write_state(struct store *store, int64_t peer_id,
                                    const struct pull_state *state)
{
    struct statement *update = database_statement(store->database, STATEMENT_UPDATE_PULL);
    database_bind_integer(update, ":id", peer_id);
    database_bind_text(update, ":epoch", state->epoch);
    database_bind_text(update, ":cursor", state->cursor);
    database_bind_integer(update, ":round", state->round);
    database_bind_integer(update, ":visit", state->visit);
    return database_run(store->database, update);
}

static enum store_result begin_visit(struct transaction *transaction, int64_t peer_id)
{
    struct store *store = transaction->store;
    struct statement *find;
    struct pull_state state;
    enum store_result result = pulls_find_state(store, peer_id, &find, &state);
    if (result != STORE_DONE)
        return result;
    const bool restarts = state.is_outdated;
    state.visit++;
    if (restarts || !state.is_pulling)
        state.cursor = (struct text){0};
    result = pulls_write_state(store, peer_id, &state);
    sqlite3_reset(find->handle);
    if (result == STORE_DONE && restarts)
        result = pulls_restart(store, peer_id);
    return result == STORE_DONE ? update_members(transaction, peer_id) : result;
}

enum store_result store_begin_visit(struct store *store, int64_t peer_id)
{
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    if (result != STORE_DONE)
        return result;
    return store_finish(&transaction, begin_visit(&transaction, peer_id));
}

/* Those of the running pull; or, if none runs, those that have not been asked for in this visit.
 * The earliest time that any of them has is that of all. */
static enum store_result choose_members(struct store *store, struct arena *arena,
                                        const struct pull_state *state, struct pull *pull)
{
    struct statement *list = database_statement(store->database, STATEMENT_LIST_PEER_MEMBERS);
    enum store_result result = STORE_DONE;
    size_t to_ask = 0;
    database_bind_integer(list, ":peer_id", pull->peer_id);
    for (int pass = 0; pass < 2 && result == STORE_DONE; pass++) {
        while (database_next(store->database, list, &result)) {
            const int64_t since_ms = database_read_integer(list, "since");
            bool fits = state->is_pulling ? database_read_integer(list, "pulling") != 0
                                          : database_read_integer(list, "visit") < state->visit;
            to_ask += fits && pass == 0;
            if (fits && pass == 0 && since_ms < pull->since_ms)
                pull->since_ms = since_ms;
            if (fits && pass == 1 && (since_ms == 0) == (pull->since_ms == 0) &&
                pull->count < CLAIMING_MEMBERS_MAX)
                pull->callsigns[pull->count++] = database_keep_text(list, "callsign_key", arena);
        }
        sqlite3_reset(list->handle);
    }
    pull->is_last = !state->is_pulling && pull->count == to_ask;
    return result == STORE_DONE && !pull->count ? STORE_NONE : result;
}

static enum store_result begin_pull(struct store *store, struct arena *arena, struct pull *pull)
{
    struct statement *find;
    struct pull_state state;
    enum store_result result = pulls_find_state(store, pull->peer_id, &find, &state);
    if (result != STORE_DONE)
        return result;
    pull->epoch = database_keep_text(find, "epoch", arena);
    if (state.is_pulling)
        pull->cursor = database_keep_text(find, "cursor", arena);
    state.cursor = pull->cursor; /* one of a pull whose members are all gone leads nowhere */
    pull->round = state.round;
    pull->visit = state.visit;
    result = pulls_write_state(store, pull->peer_id, &state);
    sqlite3_reset(find->handle);
    if (result == STORE_DONE)
        result = choose_members(store, arena, &state, pull);
    if (result != STORE_DONE || state.is_pulling)
        return result;
    struct statement *begin = member_statement(store, STATEMENT_BEGIN_PEER_MEMBERS, pull->peer_id,
                                               pull->callsigns[pull->count - 1]);
    database_bind_integer(begin, ":visit", state.visit);
    database_bind_integer(begin, ":since", pull->since_ms);
    return database_run(store->database, begin);
}

enum store_result store_begin_pull(struct store *store, struct arena *arena, int64_t peer_id,
                                   struct pull *out)
{
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    if (result != STORE_DONE)
        return result;
    *out = (struct pull){.peer_id = peer_id, .since_ms = INT64_MAX};
    return store_finish(&transaction, begin_pull(store, arena, out));
}

enum store_result store_note_visit(struct store *store, int64_t id, const char *failure)
{
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    if (result != STORE_DONE)
        return result;
    struct statement *update = database_statement(store->database, STATEMENT_UPDATE_PEER_VISIT);
    database_bind_integer(update, ":id", id);
    database_bind_integer(update, ":asked_at", transaction.written_at_ms);
    database_bind_null(update, ":answered_at");
    if (!failure)
        database_bind_integer(update, ":answered_at", transaction.written_at_ms);
    database_bind_text(update, ":failure", text_of(failure));
    return store_finish(&transaction, database_run(store->database, update));
}
