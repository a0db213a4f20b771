/* Reads and writes the known records. Rows of a deleted QSO stay, because the QSO may come back;
 * they are removed with the last of its history (edits.c), or with the log. */
#include "store/log/known.h"

#include <stdlib.h>

#include "qso/match.h"
#include "store/store.h"

static const struct read_column row_columns[] =
    COLUMNS(COLUMN(known_row, key.at_ms, "at"), COLUMN(known_row, key.mark, "mark"),
            COLUMN(known_row, source, "source"), COLUMN(known_row, until_ms, "until"));
ROW_READER(row_columns, STATEMENT_LIST_KNOWN);

/* The digests of the present row; valid until the statement moves. */
static struct text read_said(const struct statement *row)
{
    const int column = database_find_column(row, "said");
    return (struct text){sqlite3_column_blob(row->handle, column),
                         (size_t)sqlite3_column_bytes(row->handle, column)};
}

enum store_result store_find_known(struct store *store, int64_t member_id,
                                   const struct known_key *key, struct text source,
                                   struct arena *arena, int64_t *qso_id, struct text *said)
{
    enum store_result result = STORE_DONE;
    bool is_known = false;
    struct statement *find = store_with(store, STATEMENT_FIND_KNOWN, BIND("member_id", member_id),
                                        BIND("at", key->at_ms), BIND("mark", key->mark));
    *said = (struct text){0};
    while (database_next(store->database, find, &result)) {
        const bool is_own = text_equals(database_read_text(find, "source"), source);
        if (is_known && !is_own)
            continue;
        is_known = true;
        *qso_id = database_read_integer(find, "qso_id");
        if (!is_own)
            continue;
        const struct text digests = read_said(find);
        *said = (struct text){arena_copy(arena, digests.bytes, digests.length), digests.length};
    }
    return result == STORE_DONE && !is_known ? STORE_NONE : result;
}

enum store_result store_list_known(struct store *store, int64_t member_id, int64_t qso_id,
                                   known_visitor *visit, void *context)
{
    enum store_result result = STORE_DONE;
    struct known_row row;
    struct statement *list = store_with(store, STATEMENT_LIST_KNOWN, BIND("member_id", member_id),
                                        BIND("qso_id", qso_id));
    while (database_next_row(store->database, list, row_columns, &row, &result)) {
        row.said = read_said(list);
        visit(context, &row);
    }
    return result;
}

enum store_result store_has_long_known(struct store *store, int64_t member_id, bool *out)
{
    return store_has(store, out, STATEMENT_HAS_LONG_KNOWN, BIND("member_id", member_id));
}

enum store_result store_find_program_id(struct store *store, int64_t member_id,
                                        struct contact_id id, int64_t *qso_id)
{
    return store_find_integer(store, "qso_id", qso_id, STATEMENT_FIND_PROGRAM_ID,
                              BIND("member_id", member_id), BIND("program", id.program),
                              BIND("id", id.id));
}

enum store_result store_has_program_id(struct store *store, int64_t member_id, int64_t qso_id,
                                       struct text program, bool *out)
{
    return store_has(store, out, STATEMENT_HAS_PROGRAM_ID, BIND("member_id", member_id),
                     BIND("qso_id", qso_id), BIND("program", program));
}

enum store_result store_list_programs(struct store *store, int64_t member_id, int64_t qso_id,
                                      program_visitor *visit, void *context)
{
    enum store_result result = STORE_DONE;
    struct statement *list = store_with(store, STATEMENT_LIST_PROGRAMS,
                                        BIND("member_id", member_id), BIND("qso_id", qso_id));
    while (database_next(store->database, list, &result))
        visit(context, (struct contact_id){database_read_text(list, "program"),
                                           database_read_text(list, "id")});
    return result;
}

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

/* -- Pairs ------------------------------------------------------------------------------------- */

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

enum store_result store_list_near_pairs(struct store *store, int64_t member_id, int64_t above,
                                        int64_t below, int64_t limit, struct arena *arena,
                                        struct near_pair **out, size_t *count)
{
    static const enum statement_name lists[] = {STATEMENT_LIST_NEAR_PAIRS,
                                                STATEMENT_LIST_LONG_PAIRS};
    struct near_pair *pairs = arena_allocate(arena, 2 * (size_t)limit * sizeof *pairs);
    enum store_result result = STORE_DONE;
    size_t all = 0;
    for (int i = 0; i < 2 && result == STORE_DONE; i++) {
        struct statement *list = store_with(
            store, lists[i], BIND("member_id", member_id), BIND("above", above),
            BIND("below", below), BIND("window", CONTACT_WINDOW_MS), BIND("limit", limit));
        while (database_next_row(store->database, list, pair_columns, &pairs[all], &result))
            all++;
    }
    if (all > 0)
        qsort(pairs, all, sizeof *pairs, compare_pairs);
    *out = pairs;
    *count = 0;
    for (size_t i = 0; i < all && *count < (size_t)limit; i++)
        if (i == 0 || compare_pairs(&pairs[*count - 1], &pairs[i]) != 0)
            pairs[(*count)++] = pairs[i];
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

/* -- Tokens and callsigns ---------------------------------------------------------------------- */

enum store_result store_find_token_of_qso(struct store *store, int64_t qso_id, int64_t *token)
{
    return store_find_integer(store, "token_id", token, STATEMENT_FIND_TOKEN_OF_QSO,
                              BIND("id", qso_id));
}

enum store_result store_list_own_callsigns(struct store *store, int64_t member_id,
                                           void (*visit)(void *context, struct text callsign),
                                           void *context)
{
    enum store_result result = STORE_DONE;
    struct statement *list =
        store_with(store, STATEMENT_LIST_OWN_CALLSIGNS, BIND("member_id", member_id));
    while (database_next(store->database, list, &result))
        visit(context, database_read_text(list, "callsign"));
    return result;
}

/* -- Writing ----------------------------------------------------------------------------------- */

/* A refusal would be a fault of ours: all of it was checked. */
static enum store_result finish(enum store_result result)
{
    return result == STORE_REFUSED ? STORE_BROKEN : result;
}

enum store_result store_write_known(struct transaction *transaction, int64_t member_id,
                                    int64_t qso_id, bool is_new, const struct known_row *row)
{
    struct store *store = transaction->store;
    enum store_result result = STORE_DONE;
    if (!is_new)
        result = store_run(store, STATEMENT_FORGET_KNOWN_ELSEWHERE, BIND("member_id", member_id),
                           BIND("at", row->key.at_ms), BIND("mark", row->key.mark),
                           BIND("qso_id", qso_id));
    struct statement *write = store_with(
        store, is_new ? STATEMENT_INSERT_KNOWN : STATEMENT_WRITE_KNOWN,
        BIND("member_id", member_id), BIND("at", row->key.at_ms), BIND("mark", row->key.mark),
        BIND("source", row->source), BIND("qso_id", qso_id), BIND_OR_NULL("until", row->until_ms),
        BIND_BLOB("said", row->said.bytes, row->said.length));
    if (!is_new)
        database_bind(write, BOUND(BIND("most", KNOWN_RECORDS_OF_QSO)));
    return finish(THEN(result, database_run(store->database, write)));
}

enum store_result store_forget_known(struct transaction *transaction, int64_t member_id,
                                     const struct known_key *key, struct text source)
{
    return finish(store_run(transaction->store, STATEMENT_FORGET_KNOWN,
                            BIND("member_id", member_id), BIND("at", key->at_ms),
                            BIND("mark", key->mark), BIND("source", source)));
}

enum store_result store_write_program_id(struct transaction *transaction, int64_t member_id,
                                         int64_t qso_id, struct contact_id id)
{
    return finish(store_run(transaction->store, STATEMENT_WRITE_PROGRAM_ID,
                            BIND("member_id", member_id), BIND("program", id.program),
                            BIND("id", id.id), BIND("qso_id", qso_id),
                            BIND("most", KNOWN_IDS_OF_QSO)));
}

enum store_result store_tell_apart(struct transaction *transaction, int64_t member_id, int64_t one,
                                   int64_t other)
{
    return finish(store_run(transaction->store, STATEMENT_TELL_APART, BIND("member_id", member_id),
                            BIND("stamp", transaction->stamp_ms), BIND("one", one),
                            BIND("other", other)));
}

enum store_result store_tell_no_longer_apart(struct transaction *transaction, int64_t member_id,
                                             int64_t one, int64_t other)
{
    return finish(store_run(transaction->store, STATEMENT_DELETE_APART,
                            BIND("member_id", member_id), BIND("one", one), BIND("other", other)));
}

enum store_result store_move_known(struct transaction *transaction, int64_t member_id,
                                   int64_t former_id, int64_t qso_id)
{
    struct store *store = transaction->store;
    enum store_result result =
        store_run(store, STATEMENT_MOVE_ALL_KNOWN, BIND("member_id", member_id),
                  BIND("former_id", former_id), BIND("qso_id", qso_id));
    return THEN(result,
                store_run(store, STATEMENT_MOVE_ALL_PROGRAM_IDS, BIND("member_id", member_id),
                          BIND("former_id", former_id), BIND("qso_id", qso_id)));
}

enum store_result known_forget(struct transaction *transaction, int64_t member_id, int64_t qso_id)
{
    struct store *store = transaction->store;
    enum store_result result = store_run(store, STATEMENT_DELETE_KNOWN,
                                         BIND("member_id", member_id), BIND("qso_id", qso_id));
    return THEN(result, store_run(store, STATEMENT_DELETE_PROGRAM_IDS, BIND("member_id", member_id),
                                  BIND("qso_id", qso_id)));
}
