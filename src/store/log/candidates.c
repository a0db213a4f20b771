/* Finds QSOs in one log that could describe the same contact: QSOs near the time of a record, and
 * pairs of QSOs near each other. src/transfer decides whether two QSOs describe the same contact.
 */
#include "store/log/candidates.h"

#include <stdlib.h>

#include "qso/contact.h"
#include "qso/match.h"
#include "store/store.h"

static enum store_result visit_candidates(struct store *store, struct statement *list,
                                          candidate_visitor *visit, void *context)
{
    enum store_result result = STORE_DONE;
    struct qso qso;
    while (database_next(store->database, list, &result)) {
        columns_read_qso(&store->columns, list, &qso);
        visit(context, &qso, database_read_integer(list, "length"));
    }
    return result;
}

enum store_result store_list_candidates(struct store *store, const struct candidate_search *search,
                                        candidate_visitor *visit, void *context)
{
    const int64_t last = match_slot(search->to_ms);
    enum store_result result = STORE_DONE;
    for (int64_t slot = match_slot(search->from_ms); slot <= last && result == STORE_DONE; slot++)
        result = visit_candidates(
            store,
            store_with(store, STATEMENT_LIST_CANDIDATES, BIND("member_id", search->member_id),
                       BIND("slot", slot), BIND("worked", search->worked),
                       BIND("from", search->from_ms), BIND("to", search->to_ms),
                       BIND("limit", search->limit)),
            visit, context);
    return result;
}

enum store_result store_list_long_candidates(struct store *store,
                                             const struct candidate_search *search,
                                             candidate_visitor *visit, void *context)
{
    return visit_candidates(
        store,
        store_with(store, STATEMENT_LIST_LONG_CANDIDATES, BIND("member_id", search->member_id),
                   BIND("worked", search->worked), BIND("from", search->from_ms),
                   BIND("to", search->to_ms), BIND("limit", search->limit)),
        visit, context);
}

static const struct read_column pair_columns[] =
    COLUMNS(COLUMN(near_pair, slot, "slot"), COLUMN(near_pair, one, "one"),
            COLUMN(near_pair, other, "other"), COLUMN(near_pair, length_ms, "length"));
ROW_READER(pair_columns, STATEMENT_LIST_NEAR_PAIRS);
ROW_READER(pair_columns, STATEMENT_LIST_LONG_PAIRS);

static int order_of(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

static int compare_pairs(const void *one, const void *other)
{
    const struct near_pair *a = one, *b = other;
    int order = order_of(b->slot, a->slot);
    order = order ? order : order_of(b->one, a->one);
    return order ? order : order_of(b->other, a->other);
}

enum store_result store_list_near_pairs(struct store *store, const struct near_pair_search *search,
                                        struct arena *arena, struct near_pairs *out)
{
    static const enum statement_name lists[] = {STATEMENT_LIST_NEAR_PAIRS,
                                                STATEMENT_LIST_LONG_PAIRS};
    const size_t limit = (size_t)search->limit;
    struct near_pair *pairs = arena_allocate(arena, 2 * limit * sizeof *pairs);
    enum store_result result = STORE_DONE;
    size_t all = 0;
    for (int i = 0; i < 2 && result == STORE_DONE; i++) {
        struct statement *list =
            store_with(store, lists[i], BIND("member_id", search->member_id),
                       BIND("above", search->above), BIND("below", search->below),
                       BIND("window", CONTACT_WINDOW_MS), BIND("limit", search->limit));
        while (database_next_row(store->database, list, pair_columns, &pairs[all], &result))
            all++;
    }
    if (all > 0)
        qsort(pairs, all, sizeof *pairs, compare_pairs);
    *out = (struct near_pairs){.pairs = pairs};
    for (size_t i = 0; i < all && out->count < limit; i++)
        if (i == 0 || compare_pairs(&pairs[out->count - 1], &pairs[i]) != 0)
            pairs[out->count++] = pairs[i];
    return result;
}

enum store_result store_find_slot_below(struct store *store, int64_t member_id, int64_t below,
                                        int64_t count, int64_t *slot)
{
    return store_find_integer(store, "slot", slot, STATEMENT_FIND_SLOT_BELOW,
                              BIND("member_id", member_id), BIND("below", below),
                              BIND("count", count));
}

enum store_result store_have_ids_of_one_program(struct store *store, int64_t member_id, int64_t one,
                                                int64_t other, bool *out)
{
    return store_has(store, out, STATEMENT_HAVE_IDS_OF_ONE_PROGRAM, BIND("member_id", member_id),
                     BIND("one", one), BIND("other", other));
}

enum store_result store_is_of_polo(struct store *store, int64_t member_id, struct text client_id,
                                   bool *out)
{
    return store_has(store, out, STATEMENT_FIND_POLO_OF_QSO, BIND("member_id", member_id),
                     BIND_BLOB("client_id", client_id.bytes, client_id.length));
}

/* Turns STORE_REFUSED into STORE_BROKEN. The values were checked, so if the database rejects them,
 * the program has a bug. */
static enum store_result rejected_is_broken(enum store_result result)
{
    return result == STORE_REFUSED ? STORE_BROKEN : result;
}

enum store_result store_tell_apart(struct transaction *transaction, int64_t member_id, int64_t one,
                                   int64_t other)
{
    return rejected_is_broken(
        store_run(transaction->store, STATEMENT_TELL_APART, BIND("member_id", member_id),
                  BIND("stamp", transaction->stamp_ms), BIND("one", one), BIND("other", other)));
}

enum store_result store_tell_no_longer_apart(struct transaction *transaction, int64_t member_id,
                                             int64_t one, int64_t other)
{
    return rejected_is_broken(store_run(transaction->store, STATEMENT_DELETE_APART,
                                        BIND("member_id", member_id), BIND("one", one),
                                        BIND("other", other)));
}
