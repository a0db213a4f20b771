/* Begins and ends write transactions, and looks up the writer's credential again. A member who was
 * disabled in the meantime, or is no longer an operator, can write nothing.
 * src/database/transaction.c handles the writer lock, and ensures that commits are on the disk. */
#include "store/transaction.h"

#include "database/transaction.h"
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
