/* Stores the extra fields of QSOs. Extra fields are stored with the edit that wrote them, so that
 * an undo finds the extra fields of earlier content. */
#include "store/log/leftovers.h"

#include "store/store.h"

struct stored_fields {
    struct text text;
};

enum store_result store_find_leftovers(struct store *store, int64_t member_id, int64_t id,
                                       struct arena *arena, struct text *out)
{
    static const struct read_column columns[] = COLUMNS(COLUMN(stored_fields, text, "fields"));
    struct stored_fields found = {0};
    enum store_result result = store_find(store, columns, arena, &found, STATEMENT_FIND_LEFTOVERS,
                                          BIND("member_id", member_id), BIND("id", id));
    *out = found.text;
    return result == STORE_NONE ? STORE_DONE : result;
}

enum store_result store_has_leftovers(struct store *store, int64_t member_id, bool *out)
{
    return store_has(store, out, STATEMENT_FIND_ANY_LEFTOVERS, BIND("member_id", member_id));
}

enum store_result store_list_leftovers(struct store *store, struct leftovers_page *page,
                                       leftovers_visitor *visit, void *context)
{
    static const struct read_column columns[] =
        COLUMNS(COLUMN(leftovers_page, qso_id, "qso_id"), COLUMN(leftovers_page, edit, "edit"));
    ROW_READER(columns, STATEMENT_LIST_LEFTOVERS);
    struct statement *list = store_with(
        store, STATEMENT_LIST_LEFTOVERS, BIND("member_id", page->member_id),
        BIND("qso_id", page->qso_id), BIND("edit", page->edit), BIND("limit", page->limit));
    enum store_result result = STORE_DONE;
    int64_t count = 0;
    for (; database_next_row(store->database, list, columns, page, &result); count++)
        visit(context, page->qso_id, page->edit, database_read_text(list, "fields"));
    page->is_last = count < page->limit;
    return result;
}

enum store_result leftovers_note(struct transaction *transaction, int64_t member_id, int64_t id,
                                 int64_t previous_edit, struct text leftovers)
{
    struct store *store = transaction->store;
    const int64_t edit = transaction->edit.number;
    if (leftovers.length == 0)
        return store_run(store, STATEMENT_INSERT_INHERITED_LEFTOVERS, BIND("member_id", member_id),
                         BIND("qso_id", id), BIND("edit", edit),
                         BIND("previous_edit", previous_edit));
    enum store_result result = store_run(
        store, STATEMENT_INSERT_LEFTOVERS, BIND("member_id", member_id), BIND("qso_id", id),
        BIND("edit", edit), BIND_BLOB("fields", leftovers.bytes, leftovers.length));
    if (!transaction->edit.act)
        THEN(result,
             store_run(store, STATEMENT_DELETE_FORMER_LEFTOVERS, BIND("member_id", member_id),
                       BIND("qso_id", id), BIND("edit", edit)));
    return result == STORE_REFUSED ? STORE_BROKEN : result;
}

enum store_result leftovers_forget(struct transaction *transaction, int64_t member_id, int64_t id)
{
    return store_run(transaction->store, STATEMENT_DELETE_LEFTOVERS, BIND("member_id", member_id),
                     BIND("qso_id", id));
}
