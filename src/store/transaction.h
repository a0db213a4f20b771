/* Write transactions, the identity they act for, and the activity log of operators. A transaction
 * is a value of the caller, and holds all of its own data. */
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

/* The edit that a transaction writes; see history.h. */
struct history_edit {
    int64_t member_id; /* owner of the log; 0: none was begun */
    int64_t act;       /* 0: no history is kept */
    int64_t number;
    bool is_new;           /* this transaction has begun it */
    int64_t began_ms;      /* stamp of the act's beginning */
    int64_t ordinal;       /* position in the act */
    int64_t states_so_far; /* states of all acts, without this transaction's */
    int64_t created, changed, deleted, revived, states;
    int64_t first_created, last_created; /* 0: none */
};

/* Whether a log is counted for the page of a station; see page_counts.h. */
struct page_counting {
    int64_t member_id; /* owner of the log; 0: none so far */
    bool is_counted, is_begun;
};

struct transaction {
    struct store *store;
    int64_t previous_stamp_ms; /* stamp of the last write before this one; 0: none */
    int64_t stamp_ms;          /* stamp of all its writes; later than every earlier stamp */
    int64_t written_at_ms;     /* for people: the clock, or the stamp if it is later */
    int64_t revised_member_id; /* the member whose log_revision it has set already; 0: none */
    struct match_callsign without_operators; /* a station; see partners.c. Empty: none is known */
    bool knows_claims, has_claims;           /* whether there are any, once it was asked */
    bool knows_clock, believes_clock;        /* whether anything is old by it, once it was asked */
    enum history_work work;
    struct text work_subject; /* the imported file, or whose changes are undone; no text: none */
    int64_t takes_back;       /* the act that it undoes; 0: none, or several */
    struct history_edit edit;
    struct page_counting counting;
    /* Runs before the commit; NULL: nothing. */
    enum store_result (*finish)(struct transaction *transaction);
};

/* Takes the writer lock and opens a write transaction; waits for other writers, with an end
 * (STORE_BUSY). */
enum store_result store_begin_write(struct store *store, struct transaction *out);

/* The same without waiting: STORE_BUSY if another writer holds the lock. */
enum store_result store_try_begin_write(struct store *store, struct transaction *out);

/* From now on every write transaction of this store is for this identity, including those that
 * functions run themselves. Waiting for other writers, or for the request's body, may take a while.
 * So each transaction looks the credential up again when it begins, while nobody else writes.
 * STORE_DENIED, with no open transaction: the credential is no longer valid. Otherwise *identity is
 * filled again. The caller keeps both alive until another call passes NULL. Ends the effect of
 * store_act_as_operator. */
void store_write_as(struct store *store, struct arena *arena, struct identity *identity);

/* With STORE_DONE everything since the beginning is on disk; otherwise nothing of it is. Either way
 * other writers get their turn. */
enum store_result store_commit(struct transaction *transaction);
void store_rollback(struct transaction *transaction);

/* Ends the transaction according to the result of its work: commits after STORE_DONE, rolls back
 * otherwise. A transaction that did not begin needs no end. Returns the result of all of this. */
enum store_result store_finish(struct transaction *transaction, enum store_result result);

/* -- Age of data ------------------------------------------------------------------------------- */

/* Data with a time before the returned one is older than age_ms and may be removed. Returns 0, so
 * that nothing is removed, if the clock is doubted (ageing.h). Looks at the clock once in a
 * transaction. */
int64_t store_old_before(struct transaction *transaction, int64_t age_ms);

/* For an operator's confirmation that the clock is right: old data is removed again. Runs its own
 * transaction. */
enum store_result store_confirm_clock(struct store *store);

/* -- Acts of operators, on their page or with the command -------------------------------------- */

#define OPERATOR_LOG_DAYS 365

struct operator_act {
    int64_t number;
    int64_t at_ms;
    struct text operator; /* callsign; no text: the command */
    struct text act;      /* as the command is called: "member add" */
    struct text subject;  /* no text: the logbook as a whole */
    struct text details;  /* no text: none */
};
typedef void operator_act_visitor(void *context, const struct operator_act *act);

/* From now on the write transactions of this store that change more than QSOs are acts of an
 * operator: the signed-in member with this callsign, or the command (no text). Without this call,
 * they are a member's own acts, and not recorded. If store_write_as has set a session, its member
 * must be an operator in each of these transactions (STORE_DENIED). The caller keeps the text; the
 * next store_write_as ends the effect. */
void store_act_as_operator(struct store *store, struct text callsign);

/* Newest first, `limit` of them, those before the number `before` (0: from the newest on). The
 * texts are valid during the call. */
enum store_result store_list_operator_acts(struct store *store, int64_t before, int64_t limit,
                                           operator_act_visitor *visit, void *context);

/* Records an act that writes nothing else ("backup"). Runs its own transaction. */
enum store_result store_record_operator_act(struct store *store, const char *act,
                                            struct text subject, struct text details);

/* -- For other files of the store -------------------------------------------------------------- */

/* Records an act inside the transaction that it belongs to, if the store acts for an operator.
 * Removes a few acts that are too old. */
enum store_result operator_log_note(struct transaction *transaction, const char *act,
                                    struct text subject, struct text details);

/* Records an act on a member, under their present callsign. The details are printed (NULL: none); a
 * member's names and texts fit. */
enum store_result operator_log_note_member(struct transaction *transaction, const char *act,
                                           int64_t member_id, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
