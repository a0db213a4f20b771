/* Removes acts, the oldest one first, a little at a time. An act is marked before the first of its
 * rows goes: QSOs without a row would read as created by it, and taking it back would delete them.
 * When that is done is left to the callers. */
#include "store/history_remove.h"

#include "base/datetime.h"
#include "store/store.h"

/* How many rows each write removes beside as many as it has added, and twice that. */
#define REMOVED_AT_ONCE 20

#define ACTS_AT_ONCE 4

struct old_act {
    int64_t member_id, number, last;
    bool pruned;
};

/* The one row of a statement whose parameters are bound. */
static enum store_result find(struct store *store, struct statement *find, struct old_act *out)
{
    enum store_result result = database_step(store->database, find);
    if (result == STORE_DONE)
        *out = (struct old_act){
            .member_id = database_read_integer(find, "member_id"),
            .number = database_read_integer(find, "number"),
            .last = database_read_integer(find, "last"),
            .pruned = database_read_integer(find, "pruned") != 0,
        };
    sqlite3_reset(find->handle);
    return result;
}

static enum store_result find_old(const struct transaction *transaction, struct old_act *out)
{
    struct store *store = transaction->store;
    struct statement *aged = database_statement(store->database, STATEMENT_FIND_AGED_ACT);
    database_bind_integer(aged, ":began_at",
                          transaction->stamp_ms - store->history_days * DATETIME_DAY_MS);
    enum store_result result = find(store, aged, out);
    if (result != STORE_NONE)
        return result;
    struct statement *surplus = database_statement(store->database, STATEMENT_FIND_SURPLUS_ACT);
    database_bind_integer(surplus, ":member_id", transaction->edit.member_id);
    database_bind_integer(surplus, ":number", transaction->edit.act);
    database_bind_integer(surplus, ":ordinal", transaction->edit.ordinal);
    database_bind_integer(surplus, ":states_so_far",
                          transaction->edit.states_so_far + transaction->edit.states);
    database_bind_integer(surplus, ":states", store->history_states);
    database_bind_integer(surplus, ":acts", HISTORY_ACTS_MAX);
    return find(store, surplus, out);
}

static enum store_result run_for_act(struct store *store, enum statement_name name,
                                     const struct old_act *act)
{
    struct statement *statement = database_statement(store->database, name);
    database_bind_integer(statement, ":member_id", act->member_id);
    database_bind_integer(statement, ":number", act->number);
    return database_run(store->database, statement);
}

static enum store_result run_for_rows(struct store *store, enum statement_name name,
                                      const struct old_act *act, int64_t limit)
{
    struct statement *statement = database_statement(store->database, name);
    database_bind_integer(statement, ":member_id", act->member_id);
    database_bind_integer(statement, ":number", act->number);
    database_bind_integer(statement, ":last", act->last);
    database_bind_integer(statement, ":limit", limit);
    return database_run(store->database, statement);
}

/* Removes rows of an act, and the act with the last of them. *limit comes back as what is left of
 * it. */
static enum store_result remove_rows(struct store *store, const struct old_act *act, int64_t *limit)
{
    enum store_result result = STORE_DONE;
    if (!act->pruned)
        result = run_for_act(store, STATEMENT_UPDATE_ACT_PRUNED, act);
    if (result == STORE_DONE)
        result = run_for_rows(store, STATEMENT_DELETE_LEFTOVERS_OF_ACT, act, *limit);
    if (result == STORE_DONE)
        result = run_for_rows(store, STATEMENT_DELETE_GONE_OF_ACT, act, *limit);
    if (result == STORE_DONE)
        result = run_for_rows(store, STATEMENT_DELETE_FORMER_OF_ACT, act, *limit);
    int64_t removed = sqlite3_changes(store->database->handle);
    if (result == STORE_DONE && removed < *limit)
        result = run_for_act(store, STATEMENT_DELETE_ACT, act);
    *limit -= removed;
    return result;
}

enum store_result history_remove_some(struct transaction *transaction)
{
    int64_t limit = REMOVED_AT_ONCE + 2 * transaction->edit.states;
    for (int i = 0; i < ACTS_AT_ONCE && limit > 0; i++) {
        struct old_act act;
        enum store_result result = find_old(transaction, &act);
        if (result == STORE_DONE)
            result = remove_rows(transaction->store, &act, &limit);
        if (result != STORE_DONE)
            return result == STORE_NONE ? STORE_DONE : result;
    }
    return STORE_DONE;
}

enum store_result history_remove_all(struct transaction *transaction, int64_t member_id,
                                     int64_t limit, bool *last)
{
    struct store *store = transaction->store;
    enum store_result result = STORE_DONE;
    *last = false;
    while (result == STORE_DONE && limit-- > 0) {
        struct old_act act;
        struct statement *oldest = database_statement(store->database, STATEMENT_FIND_OLDEST_ACT);
        database_bind_integer(oldest, ":member_id", member_id);
        result = find(store, oldest, &act);
        if (result == STORE_DONE)
            result = remove_rows(store, &act, &limit);
    }
    *last = result == STORE_NONE;
    return *last ? STORE_DONE : result;
}
