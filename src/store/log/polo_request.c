/* Reads a phone's request, which is JSON, with SQLite's JSON functions. */
#include "store/log/polo_request.h"

#include "store/store.h"

/* end of the year 9999, the latest time that a phone's clock can show */
#define LATEST_MS 253402300799999

static const struct read_column sent_columns[] =
    COLUMNS(COLUMN(polo_sent, body, "body"), COLUMN(polo_sent, uuid, "uuid"),
            COLUMN(polo_sent, updated_ms, "updated_at"), COLUMN(polo_sent, qso_at_ms, "qso_at"),
            COLUMN(polo_sent, is_deleted, "deleted"), COLUMN(polo_sent, is_event, "is_event"),
            COLUMN(polo_sent, is_data, "is_data"), COLUMN(polo_sent, adif, "adif"));

ROW_READER(sent_columns, STATEMENT_LIST_POLO_SENT);

enum store_result store_polo_read_sent(struct store *store, struct text request, const char *path,
                                       struct arena *arena, struct polo_sent **out, size_t *count)
{
    struct statement *list = store_with(store, STATEMENT_LIST_POLO_SENT, BIND("body", request),
                                        BIND("path", text_of(path)));
    size_t capacity = 0;
    enum store_result result = STORE_DONE;
    *out = NULL;
    for (*count = 0; database_next(store->database, list, &result); ++*count) {
        *out = arena_grow(arena, *out, *count, &capacity, sizeof **out);
        struct polo_sent *sent = &(*out)[*count];
        database_read(list, sent_columns, arena, sent);
        if (sent->updated_ms > LATEST_MS)
            sent->updated_ms = LATEST_MS;
    }
    return result;
}

enum store_result store_polo_read_question(struct store *store, struct text request,
                                           struct arena *arena, struct polo_question *out)
{
    static const struct read_column columns[] = COLUMNS(
        COLUMN(polo_question, queries[POLO_OPERATION].is_there, "operations_asked"),
        COLUMN(polo_question, queries[POLO_OPERATION].goes_back, "operations_back"),
        COLUMN_OR(polo_question, queries[POLO_OPERATION].after_ms, "operations_since", INT64_MIN),
        COLUMN_OR(polo_question, queries[POLO_OPERATION].before_ms, "operations_until", INT64_MAX),
        COLUMN_OR(polo_question, queries[POLO_OPERATION].wants_own, "operations_own", 1),
        COLUMN(polo_question, queries[POLO_OPERATION].limit, "operations_limit"),
        COLUMN(polo_question, queries[POLO_OPERATION].unsent, "unsent_operations"),
        COLUMN(polo_question, queries[POLO_QSO].is_there, "qsos_asked"),
        COLUMN(polo_question, queries[POLO_QSO].goes_back, "qsos_back"),
        COLUMN_OR(polo_question, queries[POLO_QSO].after_ms, "qsos_since", INT64_MIN),
        COLUMN_OR(polo_question, queries[POLO_QSO].before_ms, "qsos_until", INT64_MAX),
        COLUMN_OR(polo_question, queries[POLO_QSO].wants_own, "qsos_own", 1),
        COLUMN(polo_question, queries[POLO_QSO].limit, "qsos_limit"),
        COLUMN(polo_question, queries[POLO_QSO].unsent, "unsent_qsos"),
        COLUMN(polo_question, settings, "settings"));
    return store_find(store, columns, arena, out, STATEMENT_READ_POLO_QUESTION,
                      BIND("body", request));
}
