/* Stores QSL cards, and finds the card for a confirmed QSO through the QSO that confirms it. Both
 * QSOs are read in one snapshot, so a card disappears with its confirmation. The pages interpret
 * designs, and the site checks pictures. */
#include "store/log/cards.h"

#include "store/log/room.h"
#include "store/operator_log.h"
#include "store/storage.h"
#include "store/store.h"
#include "store/transaction.h"

enum store_result store_read_card(struct store *store, int64_t member_id, int64_t confirmed_qso,
                                  enum card_part part, struct arena *arena,
                                  struct card_content *out)
{
    struct statement *read = store_with(store, STATEMENT_READ_CARD, BIND("member_id", member_id),
                                        BIND_OR_NULL("qso_id", confirmed_qso), BIND("part", part));
    enum store_result result = database_step(store->database, read);
    if (result == STORE_DONE) {
        out->text = database_keep_text(read, "content", arena);
        out->set_at_ms = database_read_integer(read, "set_at");
    }
    sqlite3_reset(read->handle);
    return result;
}

enum store_result store_set_card(struct store *store, int64_t member_id, enum card_part part,
                                 struct text content)
{
    struct transaction transaction;
    int64_t replaced = 0;
    bool fits = true;
    enum store_result result = store_begin_write(store, &transaction);
    THEN(result, store_find_integer(store, "bytes", &replaced, STATEMENT_MEASURE_CARD,
                                    BIND("member_id", member_id), BIND("part", part)));
    THEN(result, store_make_room(&transaction, member_id,
                                 STORAGE_OF_CARD + (int64_t)content.length - replaced, &fits));
    if (result == STORE_DONE && !fits)
        result = STORE_FULL;
    THEN(result, store_run(store, STATEMENT_SET_CARD, BIND("member_id", member_id),
                           BIND("part", part), BIND_BLOB("content", content.bytes, content.length),
                           BIND("set_at", transaction.stamp_ms)));
    return store_finish(&transaction, result);
}

enum store_result store_remove_card(struct store *store, int64_t member_id, bool design_too)
{
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    THEN(result, store_change(store, STATEMENT_REMOVE_CARD, BIND("member_id", member_id),
                              BIND_IF(!design_too, "part", CARD_PICTURE),
                              BIND("set_at", transaction.stamp_ms)));
    THEN(result, operator_log_note_member(&transaction, "card remove", member_id, NULL));
    return store_finish(&transaction, result);
}

static const struct read_column card_columns[] =
    COLUMNS(COLUMN(card, id, "id"), COLUMN(card, confirmed_at_ms, "cross_confirmed_at"),
            COLUMN(card, paired_at_ms, "paired_at"), COLUMN(card, design, "design"),
            COLUMN(card, picture_set_at_ms, "picture_set_at"));

ROW_READER(card_columns, STATEMENT_LIST_CARDS);

enum store_result store_list_cards(struct store *store, int64_t member_id, struct position before,
                                   int64_t limit, card_visitor *visit, void *context)
{
    enum store_result result = STORE_DONE;
    struct statement *list = store_with(store, STATEMENT_LIST_CARDS, BIND("member_id", member_id),
                                        BIND("before", before.synced_at_ms),
                                        BIND("before_id", before.id), BIND("limit", limit));
    struct card card;
    while (database_next_row(store->database, list, card_columns, &card, &result))
        visit(context, &card);
    return result;
}

enum store_result store_find_card(struct store *store, int64_t member_id, int64_t id,
                                  struct arena *arena, struct card *out)
{
    return store_find(store, card_columns, arena, out, STATEMENT_FIND_CARD,
                      BIND("member_id", member_id), BIND("id", id));
}

enum store_result store_count_cards(struct store *store, int64_t member_id, int64_t *count)
{
    return store_find_integer(store, "cards", count, STATEMENT_COUNT_CARDS,
                              BIND("member_id", member_id));
}

enum store_result store_count_new_cards(struct store *store, int64_t member_id, int64_t since_ms,
                                        int64_t *count)
{
    return store_find_integer(store, "new_cards", count, STATEMENT_COUNT_NEW_CARDS,
                              BIND("member_id", member_id), BIND("since", since_ms));
}
