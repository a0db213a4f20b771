/* Stores which member created each QSO in a station's log. */
#include "store/log/makers.h"

#include "store/store.h"

struct stored_maker {
    struct text callsign;
};

enum store_result store_find_maker(struct store *store, struct arena *arena, int64_t member_id,
                                   int64_t qso_id, struct text *out)
{
    static const struct read_column columns[] = COLUMNS(COLUMN(stored_maker, callsign, "operator"));
    struct stored_maker found = {0};
    enum store_result result = store_find(store, columns, arena, &found, STATEMENT_FIND_MAKER,
                                          BIND("member_id", member_id), BIND("qso_id", qso_id));
    *out = found.callsign;
    return result == STORE_NONE ? STORE_DONE : result;
}

enum store_result store_list_makers(struct store *store, int64_t member_id, maker_visitor *visit,
                                    void *context)
{
    struct statement *list = store_with(store, STATEMENT_LIST_MAKERS, BIND("member_id", member_id));
    enum store_result result = STORE_DONE;
    while (database_next(store->database, list, &result))
        visit(context, database_read_integer(list, "qso_id"), database_read_text(list, "operator"));
    return result;
}

enum store_result makers_note(struct transaction *transaction, int64_t member_id, int64_t qso_id,
                              struct text maker)
{
    if (maker.length == 0)
        return STORE_DONE;
    return store_run(transaction->store, STATEMENT_INSERT_MAKER, BIND("member_id", member_id),
                     BIND("qso_id", qso_id), BIND("operator", maker));
}
