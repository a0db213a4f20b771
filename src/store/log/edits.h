/* Records the history of a log: the writer of each write, and the content that the write replaced.
 * history/acts.h and history/changes.h read the history, and history/undo.h undoes writes.
 *
 * An edit has a number within its log, and every QSO that the edit writes has this number. A
 * transaction writes at least one edit. If the transaction replaces nothing that the last edit by
 * the same writer has written, it continues that edit. An act is a run of edits.
 *
 * A write is recorded inside its transaction, and the transaction's commit completes the act:
 *
 *     store_describe_work(&transaction, work, subject)         unless the work is synchronisation
 *     edits_begin(transaction, member, replaced, deletes)
 *     edits_note(transaction, &change)                         after an update, before a deletion
 *     edits_note_creation(transaction, id)                     after a new QSO was written
 *
 * The caller owns all arguments, and keeps the subject until the end of the transaction. */
#ifndef QSOSYNC_STORE_EDITS_H
#define QSOSYNC_STORE_EDITS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "database/result.h"
#include "qso/qso.h"
#include "store/credentials.h"
#include "store/state.h"
#include "store/transaction.h"

#define HISTORY_DAYS_DEFAULT 180
#define HISTORY_STATES_DEFAULT 1000000 /* maximum number of previous states per member */
#define HISTORY_GAP_MS 600000          /* pause after which the next write begins another act */
#define HISTORY_ACT_MS 3600000         /* maximum length of an act of synchronisation */
#define HISTORY_SUBJECT_MAX 200        /* maximum length in code points */

/* The kind of writer. The numbers are stored, so they never change. */
enum writer_kind { WRITER_OPERATOR, WRITER_KEY, WRITER_TOKEN, WRITER_SESSION, WRITER_KINDS };

/* Sets the number of days for which history is kept (0: no history is kept), and the maximum number
 * of previous states per member. */
void store_set_history(struct store *store, int64_t days, int64_t states);

/* Describes the transaction's work. Call this function before the transaction writes. The subject
 * has at most HISTORY_SUBJECT_MAX code points. */
void store_describe_work(struct transaction *transaction, enum history_work work,
                         struct text subject);

#define EDITS_NONE (-1) /* the QSO is new, so no edit is replaced */

/* Ensures that the member's log has an open edit that may replace content of the edit `replaced`.
 * The state of a QSO's deletion is never in the same edit as the state of an earlier change to that
 * QSO. Do not call this function inside an entry's savepoint. */
enum store_result edits_begin(struct transaction *transaction, const struct identity *member,
                              int64_t replaced, bool deletes);

/* Resumes an undo that the same writer began earlier, before anything is written. Returns
 * STORE_NONE if the writer has no such undo. */
enum store_result edits_resume(struct transaction *transaction, const struct identity *member,
                               int64_t act);

/* Records that the current edit created the QSO. */
void edits_note_creation(struct transaction *transaction, int64_t id);

/* The content that a write has replaced or removed. */
struct edit_change {
    int64_t qso_id;
    int64_t previous_edit;
    bool brings_back; /* in an undo: whether the new content is the content of restored_edit */
    /* edit whose content is restored; 0: content from before the history, or none */
    int64_t restored_edit;
    const struct qso *previous; /* the previous content; NULL: the QSO did not exist */
    enum state_extent extent;
};

/* Stores the previous content, only once per QSO in an edit. Call this function after an update or
 * a revival, or before a deletion. */
enum store_result edits_note(struct transaction *transaction, const struct edit_change *change);

/* Records that this edit removed the QSO. `edit` is the edit whose undoing restores the QSO (0: the
 * QSO's creation was undone). Call this function in addition to edits_note. */
enum store_result edits_note_gone(struct transaction *transaction, const struct qso *qso,
                                  int64_t edit);

/* Removes the record that the QSO is gone, after an undo has restored the QSO. Call this function
 * in addition to edits_note. */
enum store_result edits_note_back(struct transaction *transaction, int64_t qso_id);

#endif
