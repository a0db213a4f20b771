/* Reads and writes the known records. The rows of a deleted QSO stay, because the QSO can be
 * restored. These rows are removed with the last row of the QSO's history (edits_removal.c), or
 * with the log. */
#include "store/log/known.h"

#include "store/store.h"

static const struct read_column row_columns[] =
    COLUMNS(COLUMN(known_row, key.at_ms, "at"), COLUMN(known_row, key.mark, "mark"),
            COLUMN(known_row, source, "source"), COLUMN(known_row, until_ms, "until"));
ROW_READER(row_columns, STATEMENT_LIST_KNOWN);

/* Returns the digests in the current row, which are valid until the statement's next step. */
static struct text read_said(const struct statement *row)
{
    const int column = database_find_column(row, "said");
    return (struct text){sqlite3_column_blob(row->handle, column),
                         (size_t)sqlite3_column_bytes(row->handle, column)};
}

enum store_result store_find_known(struct store *store, int64_t member_id,
                                   const struct known_key *key, struct text source,
                                   struct arena *arena, struct known_record *out)
{
    enum store_result result = STORE_DONE;
    bool is_known = false;
    struct statement *find = store_with(store, STATEMENT_FIND_KNOWN, BIND("member_id", member_id),
                                        BIND("at", key->at_ms), BIND("mark", key->mark));
    out->said = (struct text){0};
    while (database_next(store->database, find, &result)) {
        const bool is_own = text_equals(database_read_text(find, "source"), source);
        if (is_known && !is_own)
            continue;
        is_known = true;
        out->qso_id = database_read_integer(find, "qso_id");
        if (!is_own)
            continue;
        const struct text digests = read_said(find);
        out->said = (struct text){arena_copy(arena, digests.bytes, digests.length), digests.length};
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

/* Turns STORE_REFUSED into STORE_BROKEN. The values were checked, so if the database rejects them,
 * the program has a bug. */
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

enum store_result store_move_known(struct transaction *transaction, int64_t member_id,
                                   int64_t old_id, int64_t qso_id)
{
    struct store *store = transaction->store;
    enum store_result result =
        store_run(store, STATEMENT_MOVE_ALL_KNOWN, BIND("member_id", member_id),
                  BIND("old_id", old_id), BIND("qso_id", qso_id));
    return THEN(result,
                store_run(store, STATEMENT_MOVE_ALL_PROGRAM_IDS, BIND("member_id", member_id),
                          BIND("old_id", old_id), BIND("qso_id", qso_id)));
}

enum store_result known_forget(struct transaction *transaction, int64_t member_id, int64_t qso_id)
{
    struct store *store = transaction->store;
    enum store_result result = store_run(store, STATEMENT_DELETE_KNOWN,
                                         BIND("member_id", member_id), BIND("qso_id", qso_id));
    return THEN(result, store_run(store, STATEMENT_DELETE_PROGRAM_IDS, BIND("member_id", member_id),
                                  BIND("qso_id", qso_id)));
}
