/* Reading the history of a log: acts, what each changed, what became of a QSO, what is gone. All
 * inside a read transaction; texts are valid during a visitor's call. */
#ifndef QSOSYNC_STORE_ACTS_H
#define QSOSYNC_STORE_ACTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"
#include "database/result.h"
#include "qso/qso.h"
#include "store/history.h"

struct store;

/* Who wrote. */
struct writer {
    enum writer_kind kind;
    int64_t number; /* of the key, token or session; 0: the operator */
};

struct act {
    int64_t number, last; /* its edits */
    struct writer writer;
    struct text name;  /* of the key or token, or the session's device; no text: the operator */
    struct text maker; /* of a station: callsign of who wrote; no text: not known */
    bool revoked;      /* the key or token is, or the session has ended */
    enum history_work work;
    struct text subject; /* the imported file, or who was taken back; no text: none */
    int64_t takes_back;  /* 0: none, or several */
    int64_t began_ms, ended_ms;
    int64_t created, changed, deleted, revived;
    int64_t first_created, last_created; /* 0: it created none */
    int64_t states;
    bool is_too_old; /* to be taken back */
};
typedef void act_visitor(void *context, const struct act *act);

/* Newest first: at most `limit` acts of the member with a number up to `from`, that ended at
 * since_ms or later. */
enum store_result store_list_acts(struct store *store, int64_t member_id, int64_t from,
                                  int64_t since_ms, int64_t limit, act_visitor *visit,
                                  void *context);

/* The member's act with this number, its texts in the arena. STORE_NONE: there is none. */
enum store_result store_find_act(struct store *store, struct arena *arena, int64_t member_id,
                                 int64_t number, struct act *out);

/* The same for the act that an edit belongs to. */
enum store_result store_find_act_of_edit(struct store *store, struct arena *arena,
                                         int64_t member_id, int64_t edit, struct act *out);

/* What an edit did to a QSO. */
enum change_kind { CHANGE_CREATED, CHANGE_CHANGED, CHANGE_DELETED, CHANGE_RESTORED };
struct change {
    enum change_kind kind;
    int64_t qso_id;
    int64_t edit;
    int64_t at_ms;            /* 0: not known */
    const struct qso *before; /* NULL: it was not there */
    const struct qso *after;  /* NULL: it was not there any more */
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

/* What happened to one QSO of the member, newest first, its creation last. STORE_NONE: nothing is
 * known of it. */
enum store_result store_list_changes_of_qso(struct store *store, int64_t member_id, int64_t qso_id,
                                            int64_t limit, change_visitor *visit, void *context);

/* QSOs that are gone and can come back, those that went last first: at most `limit` before
 * *position (edit and id; INT64_MAX: from the newest on), which moves with them. Their kind is
 * CHANGE_DELETED. */
enum store_result store_list_removed(struct store *store, int64_t member_id, int64_t limit,
                                     struct change_position *position, change_visitor *visit,
                                     void *context);

#endif
