/* Counts QSOs for stations' pages. A view in the schema, page_parts, defines how a QSO counts,
 * because a migration also counts QSOs. people/stations.c lists the QSOs with one station. */
#include "store/log/page_counts.h"

#include "qso/divisions.h"
#include "store/store.h"

enum { OF_ALL, OF_DIVISION, OF_SQUARE };

enum store_result store_has_page_counts(struct store *store, int64_t member_id, bool *is_counted)
{
    int64_t is_begun = 0;
    enum store_result result = store_find_integer(store, "is_begun", &is_begun,
                                                  STATEMENT_FIND_COUNTING, BIND("id", member_id));
    *is_counted = is_begun != 0;
    return result;
}

enum store_result page_counts_find(struct transaction *transaction, int64_t member_id)
{
    static const struct read_column columns[] =
        COLUMNS(COLUMN(page_counting, is_counted, "is_station"),
                COLUMN(page_counting, is_begun, "is_begun"));
    struct page_counting *counting = &transaction->counting;
    ROW_READER(columns, STATEMENT_FIND_COUNTING);
    if (counting->member_id == member_id)
        return STORE_DONE;
    *counting = (struct page_counting){.member_id = member_id};
    return store_find(transaction->store, columns, NULL, counting, STATEMENT_FIND_COUNTING,
                      BIND("id", member_id));
}

/* Counts all QSOs in a log without counts, when the log is written for the first time. */
static enum store_result begin(struct transaction *transaction)
{
    struct page_counting *counting = &transaction->counting;
    enum store_result result = store_run(transaction->store, STATEMENT_COUNT_ALL_QSOS,
                                         BIND("member_id", counting->member_id));
    THEN(result, store_run(transaction->store, STATEMENT_NOTE_ALL_WORKED,
                           BIND("member_id", counting->member_id)));
    counting->is_begun = result == STORE_DONE;
    return result;
}

enum store_result page_counts_add(struct transaction *transaction, int64_t member_id,
                                  int64_t qso_id)
{
    const struct page_counting *counting = &transaction->counting;
    enum store_result result = page_counts_find(transaction, member_id);
    if (result != STORE_DONE || !counting->is_counted)
        return result;
    if (!counting->is_begun)
        return begin(transaction);
    result = store_run(transaction->store, STATEMENT_COUNT_QSO, BIND("id", qso_id));
    return THEN(result, store_run(transaction->store, STATEMENT_NOTE_WORKED, BIND("id", qso_id)));
}

enum store_result page_counts_take(struct transaction *transaction, int64_t member_id,
                                   int64_t qso_id)
{
    const struct page_counting *counting = &transaction->counting;
    enum store_result result = page_counts_find(transaction, member_id);
    if (result != STORE_DONE || !counting->is_counted)
        return result;
    if (!counting->is_begun)
        result = begin(transaction);
    THEN(result, store_run(transaction->store, STATEMENT_UNCOUNT_QSO, BIND("member_id", member_id),
                           BIND("id", qso_id)));
    return THEN(result, store_run(transaction->store, STATEMENT_FORGET_WORKED,
                                  BIND("member_id", member_id), BIND("id", qso_id)));
}

enum store_result store_read_page_counts(struct store *store, int64_t member_id,
                                         struct page_counts *out)
{
    struct statement *list =
        store_with(store, STATEMENT_LIST_PAGE_COUNTS, BIND("member_id", member_id));
    enum store_result result = STORE_DONE;
    *out = (struct page_counts){0};
    while (database_next(store->database, list, &result)) {
        const int64_t kind = database_read_integer(list, "kind"),
                      value = database_read_integer(list, "value");
        if (kind == OF_ALL)
            out->qsos = database_read_integer(list, "qsos");
        else if (kind == OF_SQUARE)
            out->squares++;
        else if (value != DIVISIONS_NONE && divisions_at((int)value))
            out->divisions++;
    }
    return result;
}
