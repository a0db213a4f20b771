/* Keeps answers about whole logs, and finds them again while they hold. A row is damaged where its
 * checksum says so; it is as good as none then.
 */
#include "store/kept_answers.h"

#include <string.h>

#include "store/store.h"

static struct statement *bind_state(struct store *store, enum statement_name name,
                                    const struct kept_state *state, enum kept_kind kind)
{
    struct statement *statement = store_member_statement(store, name, state->member_id);
    database_bind_integer(statement, ":kind", kind);
    database_bind_integer(statement, ":log_revision", state->log_revision);
    database_bind_integer(statement, ":log_epoch", state->log_epoch);
    database_bind_text(statement, ":locator", state->locator);
    database_bind_text(statement, ":made_by", state->made_by);
    return statement;
}

static int64_t checksum_of(struct text content)
{
    return (int64_t)(text_hash(TEXT_HASH_START, content.bytes, content.length) >> 1);
}

/* Whether the statement has a row. */
static enum store_result find_any(struct store *store, struct statement *find, bool *has_any)
{
    enum store_result result = database_step(store->database, find);
    *has_any = result == STORE_DONE;
    sqlite3_reset(find->handle);
    return result == STORE_NONE ? STORE_DONE : result;
}

enum store_result store_has_more_qsos(struct store *store, int64_t member_id, int64_t number,
                                      bool *has_more)
{
    struct statement *find = store_member_statement(store, STATEMENT_HAS_MORE_QSOS, member_id);
    database_bind_integer(find, ":number", number);
    return find_any(store, find, has_more);
}

enum store_result store_find_kept_answer(struct store *store, struct arena *arena,
                                         const struct kept_state *state, enum kept_kind kind,
                                         struct text *content)
{
    struct statement *find = bind_state(store, STATEMENT_FIND_KEPT_ANSWER, state, kind);
    enum store_result result = database_step(store->database, find);
    if (result != STORE_DONE)
        return result;
    const struct text kept = database_read_text(find, "content");
    if (kept.length > 0 && checksum_of(kept) == database_read_integer(find, "checksum"))
        *content = (struct text){arena_copy(arena, kept.bytes, kept.length), kept.length};
    else
        result = STORE_NONE;
    sqlite3_reset(find->handle);
    return result;
}

enum store_result store_has_kept_answer(struct store *store, const struct kept_state *state,
                                        enum kept_kind kind, bool *is_kept)
{
    return find_any(store, bind_state(store, STATEMENT_HAS_KEPT_ANSWER, state, kind), is_kept);
}

/* -- Counts ------------------------------------------------------------------------------------ */

static struct statement *bind_log(struct store *store, enum statement_name name,
                                  const struct kept_state *state)
{
    struct statement *statement = store_member_statement(store, name, state->member_id);
    database_bind_integer(statement, ":log_epoch", state->log_epoch);
    database_bind_text(statement, ":locator", state->locator);
    database_bind_text(statement, ":made_by", state->made_by);
    return statement;
}

/* Of megabytes: a word at a time. */
static int64_t checksum_of_counts(struct text content)
{
    uint64_t sum = TEXT_HASH_START, word;
    size_t at = 0;
    for (; at + sizeof word <= content.length; at += sizeof word) {
        memcpy(&word, content.bytes + at, sizeof word);
        sum = (sum ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        sum ^= sum >> 32;
    }
    return (int64_t)(text_hash(sum, content.bytes + at, content.length - at) >> 1);
}

void store_release_kept_counts(struct store *store)
{
    database_statement(store->database, STATEMENT_FIND_KEPT_COUNTS); /* resets it */
}

/* As far as it does not depend on other rows. */
static enum store_result find_counts(struct store *store, const struct kept_state *state,
                                     struct kept_counts *out)
{
    struct statement *find = bind_log(store, STATEMENT_FIND_KEPT_COUNTS, state);
    enum store_result result = database_step(store->database, find);
    if (result != STORE_DONE)
        return result;
    const struct text kept = {database_read_blob(find, "content"),
                              (size_t)database_read_integer(find, "length")};
    *out = (struct kept_counts){.until_ms = database_read_integer(find, "until"),
                                .qsos = database_read_integer(find, "qsos"),
                                .content = kept};
    return kept.length > 0 && checksum_of_counts(kept) == database_read_integer(find, "checksum")
               ? STORE_DONE
               : STORE_NONE;
}

/* Whether there is nothing else in the part of the log that was counted, and not much after it. */
static enum store_result hold_against_log(struct store *store, int64_t member_id, int64_t tail_max,
                                          const struct kept_counts *counts)
{
    struct statement *more = store_member_statement(store, STATEMENT_HAS_MORE_CHANGES, member_id);
    struct statement *count = store_member_statement(store, STATEMENT_COUNT_UNCHANGED, member_id);
    bool has_more = false;
    database_bind_integer(more, ":until", counts->until_ms);
    database_bind_integer(more, ":number", tail_max);
    database_bind_integer(count, ":until", counts->until_ms);
    enum store_result result = find_any(store, more, &has_more);
    if (result == STORE_DONE)
        result = has_more ? STORE_NONE : database_step(store->database, count);
    if (result == STORE_DONE && database_read_integer(count, "qsos") != counts->qsos)
        result = STORE_NONE;
    sqlite3_reset(count->handle);
    return result;
}

enum store_result store_find_kept_counts(struct store *store, const struct kept_state *state,
                                         int64_t tail_max, struct kept_counts *out)
{
    enum store_result result = find_counts(store, state, out);
    if (result == STORE_DONE)
        result = hold_against_log(store, state->member_id, tail_max, out);
    if (result != STORE_DONE)
        store_release_kept_counts(store);
    return result;
}

enum store_result store_find_stamp_before(struct store *store, int64_t member_id, int64_t number,
                                          int64_t *stamp_ms)
{
    struct statement *find = store_member_statement(store, STATEMENT_FIND_STAMP_BEFORE, member_id);
    database_bind_integer(find, ":number", number);
    enum store_result result = database_step(store->database, find);
    if (result == STORE_DONE)
        *stamp_ms = database_read_integer(find, "synced_at");
    sqlite3_reset(find->handle);
    return result;
}

static enum store_result keep_counts(struct store *store, const struct kept_state *state,
                                     const struct kept_counts *counts)
{
    struct statement *keep = bind_log(store, STATEMENT_KEEP_COUNTS, state);
    database_bind_integer(keep, ":until", counts->until_ms);
    database_bind_integer(keep, ":qsos", counts->qsos);
    database_bind_integer(keep, ":checksum", checksum_of_counts(counts->content));
    database_bind_blob(keep, ":content", counts->content.bytes, counts->content.length);
    return database_run(store->database, keep);
}

/* -- Keeping ----------------------------------------------------------------------------------- */

enum store_result store_keep_answers(struct store *store, const struct kept_state *state,
                                     const struct kept_answer *answers, size_t count,
                                     const struct kept_counts *counts)
{
    struct transaction transaction;
    if (store->database->read_only || sqlite3_db_readonly(store->database->handle, "main") == 1)
        return STORE_NONE;
    enum store_result result = store_try_begin_write(store, &transaction);
    if (result != STORE_DONE)
        return result;
    for (size_t i = 0; i < count && result == STORE_DONE; i++) {
        const struct text content = answers[i].content;
        struct statement *keep = bind_state(store, STATEMENT_KEEP_ANSWER, state, answers[i].kind);
        database_bind_integer(keep, ":checksum", checksum_of(content));
        database_bind_text(keep, ":content", content);
        result = database_change(store->database, keep);
    }
    if (result == STORE_DONE && counts)
        result = keep_counts(store, state, counts);
    return store_finish(&transaction, result);
}

enum store_result kept_answers_remove(struct transaction *transaction, int64_t member_id)
{
    struct store *store = transaction->store;
    if (transaction->unkept_member_id == member_id)
        return STORE_DONE;
    transaction->unkept_member_id = member_id;
    enum store_result result = database_run(
        store->database, store_member_statement(store, STATEMENT_DELETE_KEPT_ANSWERS, member_id));
    return result == STORE_DONE
               ? database_run(store->database, store_member_statement(
                                                   store, STATEMENT_DELETE_KEPT_COUNTS, member_id))
               : result;
}
