/* Begins and ends write transactions of the store, and looks up their member and key. A member who
 * was disabled in the meantime, or is no longer an operator, writes nothing.
 * src/database/transaction.c handles the writer lock and makes commits durable. */
#include "store/transaction.h"

#include <stdarg.h>

#include "base/datetime.h"
#include "base/format.h"
#include "database/transaction.h"
#include "store/ageing.h"
#include "store/store.h"

static enum store_result begin(struct store *store, int64_t wait_ms, struct transaction *out)
{
    struct write_times times;
    enum store_result result = transaction_begin_write(store->database, wait_ms, &times);
    *out = (struct transaction){0};
    if (result == STORE_DONE)
        *out = (struct transaction){.store = store,
                                    .previous_stamp_ms = times.previous_stamp_ms,
                                    .stamp_ms = times.stamp_ms,
                                    .written_at_ms = times.written_at_ms};
    return result;
}

enum store_result store_begin_write(struct store *store, struct transaction *out)
{
    enum store_result result = begin(store, store->database->write_wait_ms, out);
    if (result != STORE_DONE || !store->writer)
        return result;
    result = credentials_renew(store, store->writer_arena, out->written_at_ms, store->writer);
    if (result == STORE_DONE && store->acts_as_operator && !store->writer->is_operator)
        result = STORE_DENIED;
    if (result != STORE_DONE) {
        store_rollback(out);
        *out = (struct transaction){0};
    }
    return result == STORE_NONE ? STORE_DENIED : result;
}

enum store_result store_try_begin_write(struct store *store, struct transaction *out)
{
    return begin(store, 0, out);
}

void store_write_as(struct store *store, struct arena *arena, struct identity *identity)
{
    store->writer = identity;
    store->writer_arena = arena;
    store->acts_as_operator = false;
}

enum store_result store_commit(struct transaction *transaction)
{
    enum store_result result = transaction->finish ? transaction->finish(transaction) : STORE_DONE;
    if (result == STORE_DONE)
        return transaction_commit(transaction->store->database);
    store_rollback(transaction);
    return result;
}

void store_rollback(struct transaction *transaction)
{
    transaction_rollback(transaction->store->database);
}

enum store_result store_finish(struct transaction *transaction, enum store_result result)
{
    if (result == STORE_DONE)
        return store_commit(transaction);
    if (transaction->store)
        store_rollback(transaction);
    return result;
}

/* -- Age of data ------------------------------------------------------------------------------- */

int64_t store_old_before(struct transaction *transaction, int64_t age_ms)
{
    if (!transaction->knows_clock) {
        transaction->knows_clock = true;
        bool is_believed = false;
        transaction->believes_clock =
            ageing_look(transaction->store, transaction->previous_stamp_ms,
                        transaction->written_at_ms, &is_believed) == STORE_DONE &&
            is_believed;
    }
    return transaction->believes_clock ? transaction->written_at_ms - age_ms : 0;
}

enum store_result store_confirm_clock(struct store *store)
{
    struct transaction transaction;
    struct ageing ageing;
    enum store_result result = store_begin_write(store, &transaction);
    if (result == STORE_DONE) {
        store_old_before(&transaction, 0); /* records the clock's present state */
        result = store_read_ageing(store, &ageing);
    }
    if (result == STORE_DONE) {
        ageing.doubted_ms = 0;
        ageing.confirmed_ms = transaction.stamp_ms;
        result = ageing_write(store, &ageing);
    }
    THEN(result,
         operator_log_note(&transaction, "clock confirm", (struct text){0}, (struct text){0}));
    return store_finish(&transaction, result);
}

/* -- The log of operators ---------------------------------------------------------------------- */

/* Activity: the operator, the act, the member and the time, kept for a year. Functions of the store
 * record their acts themselves, in the transaction of the act, so that neither exists without the
 * other. Each act is defined where it is done. */

#define REMOVED_AT_ONCE 10
#define DETAILS_BYTES 1600 /* a login name of 200 code points, and some words */

void store_act_as_operator(struct store *store, struct text callsign)
{
    store->acts_as_operator = true;
    store->operator_callsign = callsign;
}

/* Records an act on a member, or on the subject. Removes a few acts that are too old. */
static enum store_result note(struct transaction *transaction, const char *act, int64_t member_id,
                              struct text subject, struct text details)
{
    struct store *store = transaction->store;
    enum store_result result =
        store_run(store, STATEMENT_INSERT_OPERATOR_ACT, BIND("at", transaction->written_at_ms),
                  BIND("operator", store->operator_callsign), BIND("act", text_of(act)),
                  BIND_OR_NULL("member_id", member_id), BIND("subject", subject),
                  BIND("details", details.length > 0 ? details : (struct text){0}));
    return THEN(result,
                store_run(store, STATEMENT_DELETE_OLD_OPERATOR_ACTS,
                          BIND("before",
                               store_old_before(transaction, OPERATOR_LOG_DAYS * DATETIME_DAY_MS)),
                          BIND("most", REMOVED_AT_ONCE)));
}

enum store_result operator_log_note(struct transaction *transaction, const char *act,
                                    struct text subject, struct text details)
{
    return transaction->store->acts_as_operator ? note(transaction, act, 0, subject, details)
                                                : STORE_DONE;
}

enum store_result operator_log_note_member(struct transaction *transaction, const char *act,
                                           int64_t member_id, const char *format, ...)
{
    char details[DETAILS_BYTES];
    if (!transaction->store->acts_as_operator)
        return STORE_DONE;
    if (format) {
        va_list arguments;
        va_start(arguments, format);
        format_cut_list(details, sizeof details, format, arguments);
        va_end(arguments);
    }
    return note(transaction, act, member_id, (struct text){0}, text_of(format ? details : NULL));
}

enum store_result store_record_operator_act(struct store *store, const char *act,
                                            struct text subject, struct text details)
{
    struct transaction transaction;
    enum store_result result = store_begin_write(store, &transaction);
    THEN(result, operator_log_note(&transaction, act, subject, details));
    return store_finish(&transaction, result);
}

enum store_result store_list_operator_acts(struct store *store, int64_t before, int64_t limit,
                                           operator_act_visitor *visit, void *context)
{
    static const struct read_column columns[] =
        COLUMNS(COLUMN(operator_act, number, "id"), COLUMN(operator_act, at_ms, "at"),
                COLUMN(operator_act, operator, "operator"), COLUMN(operator_act, act, "act"),
                COLUMN(operator_act, subject, "subject"), COLUMN(operator_act, details, "details"));
    ROW_READER(columns, STATEMENT_LIST_OPERATOR_ACTS);
    struct statement *list =
        store_with(store, STATEMENT_LIST_OPERATOR_ACTS,
                   BIND("before", before > 0 ? before : INT64_MAX), BIND("limit", limit));
    struct operator_act act;
    enum store_result result = STORE_DONE;
    while (database_next_row(store->database, list, columns, &act, &result))
        visit(context, &act);
    return result;
}
