/* Reads the acts of a log. The pages and the operator's command format these acts. */
#include "store/history/acts.h"

#include "store/store.h"

static const struct read_column act_columns[] = COLUMNS(
    COLUMN(act, number, "number"), COLUMN(act, last, "last"), COLUMN(act, writer.kind, "writer"),
    COLUMN(act, writer.number, "writer_number"), COLUMN(act, name, "name"),
    COLUMN(act, maker, "operator"), COLUMN(act, revoked, "revoked"), COLUMN(act, work, "work"),
    COLUMN(act, subject, "subject"), COLUMN(act, takes_back, "takes_back"),
    COLUMN(act, began_ms, "began_at"), COLUMN(act, ended_ms, "ended_at"),
    COLUMN(act, created, "created"), COLUMN(act, changed, "changed"),
    COLUMN(act, deleted, "deleted"), COLUMN(act, revived, "revived"),
    COLUMN(act, first_created, "first_created"), COLUMN(act, last_created, "last_created"),
    COLUMN(act, states, "states"), COLUMN(act, is_too_old, "pruned"));

ROW_READER(act_columns, STATEMENT_LIST_ACTS);

static struct statement *list_of(struct store *store, const struct acts_query *query)
{
    const struct writer *writer = query->writer;
    return store_with(store, STATEMENT_LIST_ACTS, BIND("member_id", query->member_id),
                      BIND("number", query->from), BIND("since", query->since_ms),
                      BIND("kind", query->kind),
                      BIND_IF(writer != NULL, "writer", writer ? writer->kind : 0),
                      BIND_IF(writer != NULL, "writer_number", writer ? writer->number : 0),
                      BIND("limit", query->limit));
}

enum store_result store_list_acts(struct store *store, const struct acts_query *query,
                                  act_visitor *visit, void *context)
{
    struct statement *list = list_of(store, query);
    struct act act;
    enum store_result result = STORE_DONE;
    while (database_next_row(store->database, list, act_columns, &act, &result))
        visit(context, &act);
    return result;
}

enum store_result store_find_act_of_edit(struct store *store, struct arena *arena,
                                         int64_t member_id, int64_t edit, struct act *out)
{
    const struct acts_query query = {
        .member_id = member_id, .from = edit, .since_ms = INT64_MIN, .limit = 1};
    enum store_result result =
        database_find(store->database, list_of(store, &query), act_columns, arena, out);
    return result == STORE_DONE && out->last < edit ? STORE_NONE : result;
}

enum store_result store_find_act(struct store *store, struct arena *arena, int64_t member_id,
                                 int64_t number, struct act *out)
{
    enum store_result result = store_find_act_of_edit(store, arena, member_id, number, out);
    return result == STORE_DONE && out->number != number ? STORE_NONE : result;
}
