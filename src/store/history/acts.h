/* Reads the acts in the history of a log; changes.h has the changes in each act. Texts that a
 * visitor receives are valid during its call. Texts of an act that a function finds are in the
 * arena. Do not assume that an act still exists: any write can remove old acts. */
#ifndef QSOSYNC_STORE_ACTS_H
#define QSOSYNC_STORE_ACTS_H

#include "store/columns.h"
#include "store/log/edits.h"

/* The writer of an act. */
struct writer {
    enum writer_kind kind;
    int64_t number; /* number of the key, token or session; 0: the operator */
};

struct act {
    int64_t number, last; /* numbers of the first and the last edit */
    struct writer writer;
    /* name of the key or token, or of the session's device; no text: the operator */
    struct text name;
    struct text maker; /* in a station's log: the writer's callsign; no text: unknown */
    bool revoked;      /* whether the key or token is revoked, or the session has ended */
    enum history_work work;
    /* name of the imported file, or of the writer whose changes were undone; no text: none */
    struct text subject;
    int64_t takes_back; /* number of the act that an undo has undone; 0: none, or several */
    int64_t began_ms, ended_ms;
    int64_t created, changed, deleted, revived;
    /* ids of the first and last QSOs that the act created; 0: none */
    int64_t first_created, last_created;
    int64_t states;
    bool is_too_old; /* whether the act is too old to be undone */
};
typedef void act_visitor(void *context, const struct act *act);

/* A filter of acts: all acts, acts other than imports that created QSOs, acts that changed or
 * deleted QSOs, and imports. */
enum acts_kind { ACTS_ALL, ACTS_CREATED, ACTS_CHANGED, ACTS_DELETED, ACTS_IMPORTS, ACTS_KINDS };

/* The acts to list: at most `limit` acts with numbers up to `from` (INT64_MAX: all) that ended at
 * since_ms or later (INT64_MIN: all). */
struct acts_query {
    int64_t member_id;
    int64_t from;
    int64_t since_ms;
    int64_t limit;
    enum acts_kind kind;
    const struct writer *writer; /* NULL: any writer */
};

/* Lists the member's acts that match the query, newest first. */
enum store_result store_list_acts(struct store *store, const struct acts_query *query,
                                  act_visitor *visit, void *context);

/* Finds the member's act with this number. Returns STORE_NONE if the member has no such act. */
enum store_result store_find_act(struct store *store, struct arena *arena, int64_t member_id,
                                 int64_t number, struct act *out);

/* Finds the member's act to which this edit belongs. Returns STORE_NONE if no act contains the
 * edit. */
enum store_result store_find_act_of_edit(struct store *store, struct arena *arena,
                                         int64_t member_id, int64_t edit, struct act *out);

#endif
