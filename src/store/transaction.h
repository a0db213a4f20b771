/* Runs write transactions, for the identity that writes.
 *
 *     store_write_as(store, arena, &identity)             once, if a credential was presented
 *     result = store_begin_write(store, &transaction)
 *     THEN(result, ...)                                   the work
 *     result = store_finish(&transaction, result)
 *
 * A transaction is a value that the caller owns, and contains all of its own data. A transaction
 * points only to the store, and to a subject that store_describe_work has set. */
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

/* The kind of work that a transaction does, for the log's history. The numbers are stored, so they
 * never change. */
enum history_work { WORK_SYNC, WORK_IMPORT, WORK_UNDO, WORK_RESTORE, WORK_MERGE };

/* The edit that a transaction writes; see log/edits.h. */
struct history_edit {
    int64_t member_id; /* owner of the log; 0: no edit was begun */
    int64_t act;       /* number of the act; 0: no history is kept */
    int64_t number;
    bool is_new;           /* whether this transaction began the edit */
    int64_t began_ms;      /* stamp of the act's beginning */
    int64_t ordinal;       /* position of the act among the member's acts */
    int64_t states_so_far; /* number of states in all acts before this transaction */
    int64_t created, changed, deleted, revived, states;
    int64_t first_created, last_created; /* 0: none */
};

/* The state of counting a log for a station's page; see log/page_counts.h. */
struct page_counting {
    int64_t member_id; /* owner of the log; 0: not yet known */
    bool is_counted, is_begun;
};

struct transaction {
    struct store *store;
    int64_t previous_stamp_ms; /* stamp of the previous write; 0: this write is the first */
    /* stamp of everything that this transaction writes, above every earlier stamp */
    int64_t stamp_ms;
    /* time of this write for people: the stamp, or the clock if the stamp is ahead of the clock */
    int64_t written_at_ms;
    int64_t revised_member_id; /* member whose log_revision is already set; 0: none */
    /* station that nobody has logged under a callsign other than their own; see
     * confirm/partners.c */
    struct match_callsign without_operators;
    /* whether claims exist (has_claims), once this has been read (knows_claims) */
    bool knows_claims, has_claims;
    /* whether the clock is trusted (believes_clock), once this has been decided (knows_clock) */
    bool knows_clock, believes_clock;
    enum history_work work;
    /* name of the imported file, or of the writer whose changes are undone; no text: none */
    struct text work_subject;
    int64_t takes_back; /* number of the act that an undo undoes; 0: none, or several */
    struct history_edit edit;
    struct page_counting counting;
    /* function that runs before the commit; NULL: none */
    enum store_result (*finish)(struct transaction *transaction);
};

/* Takes the writer lock and opens a write transaction. Waits for other writers for a limited time,
 * and then returns STORE_BUSY. Returns STORE_DENIED or STORE_NO_GRANT if the writer may no longer
 * write (store_write_as). */
enum store_result store_begin_write(struct store *store, struct transaction *out);

/* Opens a write transaction without waiting, and without looking up the writer's credential.
 * Returns STORE_BUSY if another writer holds the lock. */
enum store_result store_try_begin_write(struct store *store, struct transaction *out);

/* Makes this identity the writer of all following write transactions of the store, including
 * transactions that functions run themselves. Waiting for other writers, or for the request's body,
 * can take a while. So each transaction looks up the credential again when the transaction begins,
 * while nobody else writes, and fills *identity again. No transaction opens if the credential is no
 * longer valid (STORE_DENIED), or if the session may no longer use the station's log
 * (STORE_NO_GRANT). The caller keeps the arena and the identity until another call passes NULL.
 * Ends the effect of store_act_as_operator. */
void store_write_as(struct store *store, struct arena *arena, struct identity *identity);

/* Commits the transaction, and releases the writer lock. If the result is STORE_DONE, everything
 * that the transaction wrote is on the disk. Otherwise, readers see nothing that the transaction
 * wrote, but the failed commit can reappear (transaction_make_certain). */
enum store_result store_commit(struct transaction *transaction);

/* Rolls the transaction back, and releases the writer lock. */
void store_rollback(struct transaction *transaction);

/* Ends the transaction. Commits if `result`, the result of the transaction's work, is STORE_DONE,
 * and otherwise rolls back. Does nothing if the transaction did not begin. Returns the first result
 * that is not STORE_DONE. */
enum store_result store_finish(struct transaction *transaction, enum store_result result);

#endif
