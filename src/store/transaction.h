/* Write transactions, and the identity for which they act.
 *
 *     store_write_as(store, arena, &identity)             once, if a credential was presented
 *     result = store_begin_write(store, &transaction)
 *     THEN(result, ...)                                   the work
 *     result = store_finish(&transaction, result)
 *
 * A transaction is a value of the caller, and holds all of its own data. It points only to the
 * store, and to a subject that store_describe_work has set. */
#ifndef QSOSYNC_STORE_TRANSACTION_H
#define QSOSYNC_STORE_TRANSACTION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"
#include "database/result.h"
#include "qso/match_callsign.h"
#include "store/credentials.h"

struct store;

/* The kind of work of a transaction in the log's history. The numbers are stored. */
enum history_work { WORK_SYNC, WORK_IMPORT, WORK_UNDO, WORK_RESTORE, WORK_MERGE };

/* The edit that a transaction writes; see log/edits.h. */
struct history_edit {
    int64_t member_id; /* owner of the log; 0: no edit was begun */
    int64_t act;       /* 0: no history is kept */
    int64_t number;
    bool is_new;           /* this transaction began the edit */
    int64_t began_ms;      /* stamp of the act's beginning */
    int64_t ordinal;       /* position in the act */
    int64_t states_so_far; /* states of all acts before this transaction */
    int64_t created, changed, deleted, revived, states;
    int64_t first_created, last_created; /* 0: none */
};

/* The counting of a log for a station's page; see log/page_counts.h. */
struct page_counting {
    int64_t member_id; /* owner of the log; 0: not yet known */
    bool is_counted, is_begun;
};

struct transaction {
    struct store *store;
    int64_t previous_stamp_ms; /* stamp of the last write before this one; 0: none */
    int64_t stamp_ms;          /* stamp of all its writes; later than every earlier stamp */
    int64_t written_at_ms;     /* for people: the clock, or the stamp if that is later */
    int64_t revised_member_id; /* the member whose log_revision is already set; 0: none */
    struct match_callsign without_operators; /* a station; see confirm/partners.c */
    bool knows_claims, has_claims;           /* whether claims exist, once this was read */
    bool knows_clock, believes_clock;        /* whether data may age, once this was read */
    enum history_work work;
    struct text
        work_subject; /* the imported file, or the writer whose changes are undone; no text: none */
    int64_t takes_back; /* the act that an undo undoes; 0: none, or several */
    struct history_edit edit;
    struct page_counting counting;
    /* Runs before the commit; NULL: nothing runs. */
    enum store_result (*finish)(struct transaction *transaction);
};

/* Takes the writer lock and opens a write transaction. Waits for other writers, but not forever
 * (STORE_BUSY). */
enum store_result store_begin_write(struct store *store, struct transaction *out);

/* Opens a write transaction without waiting. STORE_BUSY: another writer holds the lock. */
enum store_result store_try_begin_write(struct store *store, struct transaction *out);

/* Makes this identity the writer of all following write transactions of the store, including those
 * that functions run themselves. Waiting for other writers, or for the request's body, can take a
 * while. So each transaction looks the credential up again when it begins, while nobody else
 * writes, and fills *identity again. If the credential is no longer valid, no transaction opens
 * (STORE_DENIED). The caller keeps the arena and the identity until another call passes NULL. Ends
 * the effect of store_act_as_operator. */
void store_write_as(struct store *store, struct arena *arena, struct identity *identity);

/* Commits, and releases the writer lock. STORE_DONE: everything that the transaction wrote is on
 * disk. Any other result: none of it is. */
enum store_result store_commit(struct transaction *transaction);

/* Rolls back, and releases the writer lock. */
void store_rollback(struct transaction *transaction);

/* Ends the transaction: commits if the result of its work is STORE_DONE, and otherwise rolls back.
 * Does nothing if the transaction did not begin. Returns the first result that is not STORE_DONE.
 */
enum store_result store_finish(struct transaction *transaction, enum store_result result);

#endif
