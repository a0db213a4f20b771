/* The history of a log: the content that each write replaced, and its writer, recorded in the
 * transaction of the write (history.c); reading it (acts.c); and undoing it (undo.c).
 *
 * An edit has a number within its log, and every QSO that it writes carries this number. A
 * transaction writes one edit, or continues the last edit of the same writer, as long as it
 * replaces nothing that this edit has written. An act is a run of edits.
 *
 * Files of the store record a write inside its transaction, and the transaction's commit completes
 * the act:
 *
 *     history_begin_edit(transaction, member, replaced, deletes)
 *     history_note(transaction, &change)     after an update, or before a deletion
 *     history_note_creation(transaction, id) after a new QSO was written
 *
 * An undo is a loop over slices, and each slice is a transaction of its own:
 *
 *     store_undo_begin(store, member_id, &request, through, &state)
 *     while !undo_is_done(&state):
 *         store_undo_preview() or store_undo_slice()
 *
 * The caller owns the request with its lists, and the state; a copy of the state continues the undo
 * in another process. A state changes only with STORE_DONE. Texts and QSOs that a visitor receives
 * are valid during its call; those of store_find_act are in the arena. Do not assume that an act
 * still exists: old acts are removed with any write. */
#ifndef QSOSYNC_STORE_HISTORY_H
#define QSOSYNC_STORE_HISTORY_H

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
#define HISTORY_NO_EDIT (-1)
enum store_result history_begin_edit(struct transaction *transaction, const struct identity *member,
                                     int64_t replaced, bool deletes);

/* Resumes an undo that this member began earlier, by the same writer. STORE_NONE: no such undo.
 * Call it before anything is written. */
enum store_result history_resume(struct transaction *transaction, const struct identity *member,
                                 int64_t act);

/* After the QSO was created under the present edit. */
void history_note_creation(struct transaction *transaction, int64_t id);

/* The content that a write has replaced or removed. */
struct history_change {
    int64_t qso_id;
    int64_t previous_edit;
    bool brings_back;         /* it is an undo: the content is that of the edit below */
    int64_t restored_edit;    /* 0: from before the history, or none */
    const struct qso *former; /* NULL: it was not there */
    enum state_extent extent;
};

/* Call this after an update or a revival, or before a deletion: stores the previous content, once
 * per QSO in an edit. */
enum store_result history_note(struct transaction *transaction,
                               const struct history_change *change);

/* Records in addition that this edit removed the QSO, or brought it back. */
enum store_result history_note_gone(struct transaction *transaction, const struct qso *qso,
                                    int64_t edit);
enum store_result history_note_back(struct transaction *transaction, int64_t qso_id);

/* The history to remove: too old, more than is kept, or of a deleted log. */

#define HISTORY_ACTS_MAX 200000 /* a member */

/* Removes a part of the history that is too old, of any member, or else of the excess of the
 * present edit's member: a few rows more than the edit has added. */
enum store_result history_remove_some(struct transaction *transaction);

/* Drops history of the member until the limit of their storage holds, the oldest first. An act that
 * is written now may be dropped, too: the next write then begins another one. */
enum store_result history_trim(struct transaction *transaction, int64_t member_id);

/* Removes at most `limit` previous states of a member, and the acts that become empty. *last is
 * true when no history is left. */
enum store_result history_remove_all(struct transaction *transaction, int64_t member_id,
                                     int64_t limit, bool *last);

/* -- Reading it: acts, the changes of each, the states of a QSO, deleted QSOs ------------------ */

/* The writer of an act. */
struct writer {
    enum writer_kind kind;
    int64_t number; /* number of the key, token or session; 0: the operator */
};

struct act {
    int64_t number, last; /* its edits */
    struct writer writer;
    /* name of the key or token, or the session's device; no text: the operator */
    struct text name;
    struct text maker; /* in a station's log: the writer's callsign; no text: unknown */
    bool revoked;      /* the key or token is, or the session has ended */
    enum history_work work;
    struct text subject; /* the imported file, or whose changes were undone; no text: none */
    int64_t takes_back;  /* 0: none, or several */
    int64_t began_ms, ended_ms;
    int64_t created, changed, deleted, revived;
    int64_t first_created, last_created; /* 0: it created none */
    int64_t states;
    bool is_too_old; /* for an undo */
};
typedef void act_visitor(void *context, const struct act *act);

/* Newest first: at most `limit` acts of the member with a number up to `from`, that ended at
 * since_ms or later. */
enum store_result store_list_acts(struct store *store, int64_t member_id, int64_t from,
                                  int64_t since_ms, int64_t limit, act_visitor *visit,
                                  void *context);

/* Finds the member's act with this number, its texts in the arena. STORE_NONE: no such act. */
enum store_result store_find_act(struct store *store, struct arena *arena, int64_t member_id,
                                 int64_t number, struct act *out);

/* The same for the act that an edit belongs to. */
enum store_result store_find_act_of_edit(struct store *store, struct arena *arena,
                                         int64_t member_id, int64_t edit, struct act *out);

/* How an edit changed a QSO. */
enum change_kind { CHANGE_CREATED, CHANGE_CHANGED, CHANGE_DELETED, CHANGE_RESTORED };
struct change {
    enum change_kind kind;
    int64_t qso_id;
    int64_t edit;
    int64_t at_ms;            /* 0: not known */
    const struct qso *before; /* NULL: it was not there */
    const struct qso *after;  /* NULL: deleted */
    bool undone;              /* nobody deleted it: its creation was undone */
};
typedef void change_visitor(void *context, const struct change *change);

/* A place in the list of an act's changes; all zero: its beginning. */
struct change_position {
    int64_t edit; /* INT64_MAX: among those that were created */
    int64_t qso_id;
};

/* Calls visit for at most `limit` changes of the act after *position, which moves with them; *last
 * is true if no more follow. */
enum store_result store_list_changes(struct store *store, int64_t member_id, const struct act *act,
                                     int64_t limit, struct change_position *position,
                                     change_visitor *visit, void *context, bool *last);

/* Lists the history of one QSO of the member, newest first, its creation last. STORE_NONE: it has
 * no history. */
enum store_result store_list_changes_of_qso(struct store *store, int64_t member_id, int64_t qso_id,
                                            int64_t limit, change_visitor *visit, void *context);

/* Counts the deleted QSOs that can be restored, except those whose creation was undone. */
enum store_result store_count_deleted(struct store *store, int64_t member_id, int64_t *count);

/* Lists deleted QSOs that can be restored, the latest deletion first: at most `limit` before
 * *position (edit and id; INT64_MAX: from the newest), which moves with them. Their kind is
 * CHANGE_DELETED. */
enum store_result store_list_removed(struct store *store, int64_t member_id, int64_t limit,
                                     struct change_position *position, change_visitor *visit,
                                     void *context);

/* -- Undoing writes to a log (undo.c) ---------------------------------------------------------- */

/* Undoes an act, everything by one writer since a time, or deletions. It works in slices, each a
 * transaction, and is an act that can itself be undone. A QSO gets the content from before the
 * first of these edits, unless somebody else has changed it since. Such a QSO is skipped and named,
 * and only undone if the member asks for it. */

#define UNDO_SLICE 200 /* QSOs examined in a transaction */

/* The selection to undo. The caller keeps the lists. */
struct undo_request {
    int64_t act;  /* 0: by writers, or removed QSOs */
    bool removed; /* deleted QSOs come back */
    const struct writer *writers;
    size_t writer_count;
    int64_t since_ms;     /* edits of the writers with an earlier stamp stay */
    const int64_t *only;  /* just these QSOs; rising */
    size_t only_count;    /* 0: all */
    const int64_t *taken; /* QSOs whose later changes by others are undone, too */
    size_t taken_count;   /* rising */
    bool takes_all;       /* all of them */
    struct text subject;  /* whose changes are undone, for the history; no text: not given */
    struct text note;     /* the selection in words, for the log of operators' acts */
};

/* The order of the lists, for qsort. */
int undo_compare_ids(const void *one, const void *other);

/* How far it has come. A value that can be kept as text between slices. */
struct undo_state {
    int64_t log_epoch;
    int64_t through; /* later edits count as somebody else's, even the member's own */
    int64_t oldest;  /* the first edit that can be undone */
    int64_t number;  /* number of the undo's act; 0: nothing was written yet */
    int64_t step;    /* 0 deletions, 1 earlier content, 2 complete */
    /* Where the undo continues. For each act: after 2n + 1 among the QSOs that edit n touched, or
     * 2n among those that act n created. Deleted QSOs: edit and QSO. Chosen QSOs: a position in the
     * list. */
    int64_t place, qso_id;
    int64_t restored, deleted, left;
    int64_t done, total; /* for a progress bar */
};

enum undo_reason { UNDO_CHANGED_SINCE, UNDO_CLIENT_ID_IN_USE };
struct undo_left {
    const struct qso *qso; /* as it is */
    enum undo_reason reason;
    const struct act *by; /* who made the change that it keeps; NULL: unknown */
};
typedef void undo_left_visitor(void *context, const struct undo_left *left);

/* Begins an undo. With `through` of a preview (0: none) nothing that was written after it is
 * undone. STORE_NONE: the member has no such act, or it is too old. */
enum store_result store_undo_begin(struct store *store, int64_t member_id,
                                   const struct undo_request *request, int64_t through,
                                   struct undo_state *out);

/* Counts the changes that the next slice of at most `limit` QSOs would make, and visits the QSOs
 * that it would skip, in a snapshot. STORE_CONFLICT: another logbook was restored in the meantime.
 */
enum store_result store_undo_preview(struct store *store, const struct identity *member,
                                     const struct undo_request *request, int64_t limit,
                                     struct undo_state *state, undo_left_visitor *visit,
                                     void *context);

/* The same in earnest, in a transaction of its own; the state is only changed when that is on the
 * disk. */
enum store_result store_undo_slice(struct store *store, struct identity *member,
                                   const struct undo_request *request, struct undo_state *state,
                                   undo_left_visitor *visit, void *context);

static inline bool undo_is_done(const struct undo_state *state)
{
    return state->step > 1;
}

/* -- Between undo.c and undo_plan.c: the effect of an undo on one QSO -------------------------- */

/* The selection, with the values that were looked up for it. */
struct undo_set {
    struct store *store;
    int64_t member_id;
    const struct undo_request *request;
    const struct undo_state *state;
    struct buffer writers; /* the request's writers: [[kind,number],...] */
    struct undo_act {
        int64_t number, last; /* 0: none was looked up */
        int64_t began_ms;
        bool is_in;
    } act; /* the act that was looked up last */
};

/* The conditions by which acts belong to the selection. */
#define BIND_UNDO_SET(set)                                                                         \
    BIND("member_id", (set)->member_id), BIND("oldest", (set)->state->oldest),                     \
        BIND("through", (set)->state->through), BIND("own", (set)->state->number),                 \
        BIND_OR_NULL("act", (set)->request->act), BIND("since", (set)->request->since_ms),         \
        BIND("writers", ((struct text){(set)->writers.bytes, (set)->writers.length}))

enum undo_action { UNDO_NOTHING, UNDO_CHANGE, UNDO_DELETE, UNDO_REVIVE, UNDO_LEAVE };

struct undo_plan {
    enum undo_action action;
    enum undo_reason reason; /* reason for skipping it */
    int64_t found_at;        /* a deleted QSO: the edit that deleted it */
    int64_t steps;           /* rows that were read for it */
    int64_t blocked_by;      /* somebody else's later edit; 0: none */
    int64_t edit;            /* its present content */
    int64_t confirmed_by;
    bool is_there;
    struct qso present; /* if it is there */
    int64_t target;     /* edit whose content it gets */
    struct qso content;
};

/* Where a QSO was met that several edits may have touched: it is planned once, at its latest edit
 * that is undone. */
#define UNDO_AT_CREATION 0 /* among those that an act created */
#define UNDO_ANYWHERE INT64_MIN

/* Only reads; texts are in the arena. `at` is an edit, or one of these two. If the QSO's plan
 * belongs to another edit, little is read and nothing is planned. */
enum store_result undo_plan_qso(struct undo_set *set, int64_t qso_id, int64_t at,
                                struct arena *arena, struct undo_plan *out);

#endif
