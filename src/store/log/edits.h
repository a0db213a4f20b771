/* The history of a log: the content that each write replaced, and its writer, recorded in the
 * transaction of the write. acts.h reads it, and undo.h undoes writes.
 *
 * An edit has a number within its log, and every QSO that it writes carries this number. A
 * transaction writes one edit, or continues the last edit of the same writer, as long as it
 * replaces nothing that this edit has written. An act is a run of edits.
 *
 * Files of the store record a write inside its transaction, and the transaction's commit completes
 * the act:
 *
 *     edits_begin(transaction, member, replaced, deletes)
 *     edits_note(transaction, &change)     after an update, or before a deletion
 *     edits_note_creation(transaction, id) after a new QSO was written */
#ifndef QSOSYNC_STORE_EDITS_H
#define QSOSYNC_STORE_EDITS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/text.h"
#include "database/result.h"
#include "qso/qso.h"
#include "store/columns.h"
#include "store/credentials.h"
#include "store/transaction.h"

#define HISTORY_DAYS_DEFAULT 180
#define HISTORY_STATES_DEFAULT 1000000 /* a member */
#define HISTORY_GAP_MS 600000          /* without a write: the next one begins another act */
#define HISTORY_ACT_MS 3600000         /* the longest act of synchronisation */
#define HISTORY_SUBJECT_MAX 200        /* code points */

/* The kind of writer. The numbers are stored. */
enum writer_kind { WRITER_OPERATOR, WRITER_KEY, WRITER_TOKEN, WRITER_SESSION, WRITER_KINDS };

/* How long history is kept, in days (0: never), and the maximum of previous states per member. */
void store_set_history(struct store *store, int64_t days, int64_t states);

/* Describes the transaction's work, before it writes. The caller keeps the subject until the end of
 * the transaction; it has at most HISTORY_SUBJECT_MAX code points. */
void store_describe_work(struct transaction *transaction, enum history_work work,
                         struct text subject);

/* Drops the member's oldest history until this many more bytes fit into their storage, but keeps
 * the act that the transaction writes. False: the bytes still do not fit. */
enum store_result store_make_room(struct transaction *transaction, int64_t member_id, int64_t bytes,
                                  bool *fits);

/* -- For other files of the store -------------------------------------------------------------- */

/* Ensures that an edit of the member's log is open that may replace content of the edit `replaced`
 * (NO_EDIT: creates a QSO). The state of a deletion never joins that of an earlier change. Do not
 * call it inside an entry's savepoint. */
#define EDITS_NONE (-1)
enum store_result edits_begin(struct transaction *transaction, const struct identity *member,
                              int64_t replaced, bool deletes);

/* Resumes an undo that this member began earlier, by the same writer. STORE_NONE: no such undo.
 * Call it before anything is written. */
enum store_result edits_resume(struct transaction *transaction, const struct identity *member,
                               int64_t act);

/* After the QSO was created under the present edit. */
void edits_note_creation(struct transaction *transaction, int64_t id);

/* The content that a write has replaced or removed. */
struct edit_change {
    int64_t qso_id;
    int64_t previous_edit;
    bool brings_back;         /* it is an undo: the content is that of the edit below */
    int64_t restored_edit;    /* 0: from before the history, or none */
    const struct qso *former; /* NULL: it was not there */
    enum state_extent extent;
};

/* Call this after an update or a revival, or before a deletion: stores the previous content, once
 * per QSO in an edit. */
enum store_result edits_note(struct transaction *transaction, const struct edit_change *change);

/* Records in addition that this edit removed the QSO, or brought it back. */
enum store_result edits_note_gone(struct transaction *transaction, const struct qso *qso,
                                  int64_t edit);
enum store_result edits_note_back(struct transaction *transaction, int64_t qso_id);

/* The history to remove: too old, more than is kept, or of a deleted log. */

#define HISTORY_ACTS_MAX 200000 /* a member */

/* Removes a part of the history that is too old, of any member, or else of the excess of the
 * present edit's member: a few rows more than the edit has added. */
enum store_result edits_remove_some(struct transaction *transaction);

/* Drops history of the member until the limit of their storage holds, the oldest first. An act that
 * is written now may be dropped, too: the next write then begins another one. */
enum store_result edits_trim(struct transaction *transaction, int64_t member_id);

/* Removes at most `limit` previous states of a member, and the acts that become empty. *last is
 * true when no history is left. */
enum store_result edits_remove_all(struct transaction *transaction, int64_t member_id,
                                   int64_t limit, bool *last);

#endif
