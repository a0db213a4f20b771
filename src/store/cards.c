/* Keeps members' QSL cards, and finds the one that belongs to a confirmed QSO: by the QSO that
 * confirms it, in the same snapshot, so that it is gone as soon as the confirmation is. What a
 * design says is left to the pages, what a picture may be to the site. */
#include "store/cards.h"

#include "store/store.h"
#include "store/transaction.h"

/* The row of a statement that finds one; its content goes to the arena. */
static enum store_result read_content(struct store *store, struct statement *read,
                                      struct arena *arena, struct text *content, int64_t *set_at_ms)
{
    enum store_result result = database_step(store->database, read);
    if (result == STORE_DONE) {
        *content = database_keep_text(read, "content", arena);
        *set_at_ms = database_read_integer(read, "set_at");
    }
    sqlite3_reset(read->handle);
    return result;
}

enum store_result store_read_card(struct store *store, int64_t member_id, enum card_part part,
                                  struct arena *arena, struct text *content, int64_t *set_at_ms)
{
    struct statement *read = store_member_statement(store, STATEMENT_READ_CARD, member_id);
    database_bind_integer(read, ":part", part);
    return read_content(store, read, arena, content, set_at_ms);
}

enum store_result store_read_partner_picture(struct store *store, int64_t member_id, int64_t id,
                                             struct arena *arena, struct text *content)
{
    int64_t set_at_ms;
    struct statement *read =
        store_member_statement(store, STATEMENT_READ_CARD_OF_PARTNER, member_id);
    database_bind_integer(read, ":id", id);
    database_bind_integer(read, ":part", CARD_PICTURE);
    return read_content(store, read, arena, content, &set_at_ms);
}

enum store_result store_set_card(struct store *store, int64_t member_id, enum card_part part,
                                 struct text content)
{
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    if (result != STORE_DONE)
        return result;
    struct statement *set = store_member_statement(store, STATEMENT_SET_CARD, member_id);
    database_bind_integer(set, ":part", part);
    database_bind_blob(set, ":content", content.bytes, content.length);
    database_bind_integer(set, ":set_at", transaction.stamp_ms);
    return store_finish(&transaction, database_run(store->database, set));
}

static enum store_result remove_parts(struct transaction *transaction, int64_t member_id,
                                      bool design_too)
{
    struct store *store = transaction->store;
    struct statement *remove = store_member_statement(store, STATEMENT_REMOVE_CARD, member_id);
    if (design_too)
        database_bind_null(remove, ":part");
    else
        database_bind_integer(remove, ":part", CARD_PICTURE);
    database_bind_integer(remove, ":set_at", transaction->stamp_ms);
    return database_change(store->database, remove);
}

enum store_result store_remove_card_picture(struct store *store, int64_t member_id)
{
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    if (result != STORE_DONE)
        return result;
    return store_finish(&transaction, remove_parts(&transaction, member_id, false));
}

enum store_result store_remove_card(struct store *store, int64_t member_id)
{
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    if (result != STORE_DONE)
        return result;
    result = remove_parts(&transaction, member_id, true);
    if (result == STORE_DONE)
        result = operator_log_note_member(&transaction, "card remove", member_id, NULL);
    return store_finish(&transaction, result);
}

static struct card read_card(const struct statement *list)
{
    return (struct card){.id = database_read_integer(list, "id"),
                         .confirmed_at_ms = database_read_integer(list, "cross_confirmed_at"),
                         .paired_at_ms = database_read_integer(list, "paired_at"),
                         .design = database_read_text(list, "design"),
                         .picture_set_at_ms = database_read_integer(list, "picture_set_at")};
}

enum store_result store_list_cards(struct store *store, int64_t member_id, struct position before,
                                   int64_t limit, card_visitor *visit, void *context)
{
    struct statement *list = store_member_statement(store, STATEMENT_LIST_CARDS, member_id);
    enum store_result result = STORE_DONE;
    database_bind_integer(list, ":before", before.synced_at_ms);
    database_bind_integer(list, ":before_id", before.id);
    database_bind_integer(list, ":limit", limit);
    while (database_next(store->database, list, &result)) {
        const struct card card = read_card(list);
        visit(context, &card);
    }
    return result;
}

enum store_result store_find_card(struct store *store, int64_t member_id, int64_t id,
                                  struct arena *arena, struct card *out)
{
    struct statement *find = store_member_statement(store, STATEMENT_FIND_CARD, member_id);
    database_bind_integer(find, ":id", id);
    enum store_result result = database_step(store->database, find);
    if (result == STORE_DONE) {
        *out = read_card(find);
        out->design = database_keep_text(find, "design", arena);
    }
    sqlite3_reset(find->handle);
    return result;
}

enum store_result store_count_new_cards(struct store *store, int64_t member_id, int64_t since_ms,
                                        int64_t *count)
{
    struct statement *read = store_member_statement(store, STATEMENT_COUNT_NEW_CARDS, member_id);
    database_bind_integer(read, ":since", since_ms);
    return database_find_integer(store->database, read, "new_cards", count);
}
