/* Reads the history of a log: its acts, the changes of each, the states of a QSO, and deleted QSOs.
 * Texts and QSOs that a visitor receives are valid during its call; those of store_find_act are in
 * the arena. Do not assume that an act still exists: old acts are removed with any write. */
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

#endif
