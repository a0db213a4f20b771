/* Removes acts, oldest first, a few rows at a time. An act is marked before its first row is
 * deleted. Otherwise, QSOs without a row would look as if the act had created them, and undoing the
 * act would delete them. The callers decide when to remove acts. */
#include "store/log/edits_removal.h"

#include "base/datetime.h"
#include "store/ageing.h"
#include "store/store.h"

/* Each write removes at most this number of old rows, plus twice the number of rows that it has
 * added. */
#define REMOVED_AT_ONCE 20

#define ACTS_AT_ONCE 4

struct old_act {
    int64_t member_id, number, last;
    bool pruned;
};

static const struct read_column old_act_columns[] =
    COLUMNS(COLUMN(old_act, member_id, "member_id"), COLUMN(old_act, number, "number"),
            COLUMN(old_act, last, "last"), COLUMN(old_act, pruned, "pruned"));

static enum store_result find_old(struct transaction *transaction, struct old_act *out)
{
    const struct history_edit *edit = &transaction->edit;
    struct store *store = transaction->store;
    const int64_t old_before_ms =
        store_old_before(transaction, store->history_days * DATETIME_DAY_MS);
    return store_find(store, old_act_columns, NULL, out, STATEMENT_FIND_OLD_ACT,
                      BIND("began_at", old_before_ms), BIND("member_id", edit->member_id),
                      BIND("number", edit->act), BIND("ordinal", edit->ordinal),
                      BIND("states_so_far", edit->states_so_far + edit->states),
                      BIND("states", store->history_states), BIND("acts", HISTORY_ACTS_MAX));
}

#define BIND_ACT(act) BIND("member_id", (act)->member_id), BIND("number", (act)->number)
#define BIND_ROWS(act, limit) BIND_ACT(act), BIND("last", (act)->last), BIND("limit", limit)

/* Removes at most *limit previous states of an act, with the data stored with these states. Removes
 * the act after its last state. Reduces *limit by the number of removed states. */
static enum store_result remove_rows(struct store *store, const struct old_act *act, int64_t *limit)
{
    enum store_result result = STORE_DONE;
    if (!act->pruned)
        result = store_run(store, STATEMENT_UPDATE_ACT_PRUNED, BIND_ACT(act));
    THEN(result, store_run(store, STATEMENT_DELETE_LEFTOVERS_OF_ACT, BIND_ROWS(act, *limit)));
    THEN(result, store_run(store, STATEMENT_DELETE_KNOWN_OF_ACT, BIND_ROWS(act, *limit)));
    THEN(result, store_run(store, STATEMENT_DELETE_PROGRAM_IDS_OF_ACT, BIND_ROWS(act, *limit)));
    THEN(result, store_run(store, STATEMENT_DELETE_GONE_OF_ACT, BIND_ROWS(act, *limit)));
    THEN(result, store_run(store, STATEMENT_DELETE_FORMER_OF_ACT, BIND_ROWS(act, *limit)));
    int64_t removed = sqlite3_changes(store->database->handle);
    if (result == STORE_DONE && removed < *limit)
        result = store_run(store, STATEMENT_DELETE_ACT, BIND_ACT(act));
    *limit -= removed;
    return result;
}

enum store_result edits_remove_some(struct transaction *transaction)
{
    int64_t limit = REMOVED_AT_ONCE + 2 * transaction->edit.states;
    for (int i = 0; i < ACTS_AT_ONCE && limit > 0; i++) {
        struct old_act act = {0};
        enum store_result result = find_old(transaction, &act);
        THEN(result, remove_rows(transaction->store, &act, &limit));
        if (result != STORE_DONE)
            return result == STORE_NONE ? STORE_DONE : result;
    }
    return STORE_DONE;
}

enum store_result edits_remove_all(struct transaction *transaction, int64_t member_id,
                                   int64_t limit, bool *last)
{
    struct store *store = transaction->store;
    enum store_result result = STORE_DONE;
    while (result == STORE_DONE && limit-- > 0) {
        struct old_act act = {0};
        result = store_find(store, old_act_columns, NULL, &act, STATEMENT_FIND_OLDEST_ACT,
                            BIND("member_id", member_id));
        THEN(result, remove_rows(store, &act, &limit));
    }
    *last = result == STORE_NONE;
    return *last ? STORE_DONE : result;
}

enum store_result edits_remove_oldest(struct transaction *transaction, int64_t member_id,
                                      int64_t limit, bool with_own)
{
    const struct history_edit *edit = &transaction->edit;
    const int64_t own = edit->member_id == member_id ? edit->act : 0;
    struct store *store = transaction->store;
    struct old_act act = {0};
    enum store_result result = store_find(store, old_act_columns, NULL, &act,
                                          STATEMENT_FIND_OLDEST_ACT, BIND("member_id", member_id));
    if (result == STORE_DONE && act.number == own && !with_own)
        return STORE_NONE;
    return THEN(result, remove_rows(store, &act, &limit));
}
