/* Reads the changes in the history of a log: the changes in an act, the changes of a QSO, and
 * deleted QSOs. QSOs that a visitor receives are valid during its call. */
#ifndef QSOSYNC_STORE_CHANGES_H
#define QSOSYNC_STORE_CHANGES_H

#include <stdbool.h>
#include <stdint.h>

#include "qso/qso.h"
#include "store/history/acts.h"

/* The kind of change that an edit made to a QSO. */
enum change_kind { CHANGE_CREATED, CHANGE_CHANGED, CHANGE_DELETED, CHANGE_RESTORED };
struct change {
    enum change_kind kind;
    int64_t qso_id;
    int64_t edit;
    int64_t at_ms;            /* time of the edit; 0: unknown */
    const struct qso *before; /* content before the edit; NULL: the QSO did not exist */
    const struct qso *after;  /* content after the edit; NULL: the QSO was deleted */
    bool undone;              /* whether the QSO was removed by an undo of its creation */
};
typedef void change_visitor(void *context, const struct change *change);

/* A place in a list of changes; all zero: the beginning of the list. */
struct change_position {
    int64_t edit; /* INT64_MAX: among the QSOs that the act created */
    int64_t qso_id;
};

/* A page in the list of an act's changes. */
struct changes_page {
    int64_t member_id;
    const struct act *act;
    int64_t limit;
    struct change_position position; /* place that moves with each change */
    bool is_last;                    /* whether no further changes follow */
};

/* Calls visit for at most page->limit changes of the act after page->position, and moves the
 * position. */
enum store_result store_list_changes(struct store *store, struct changes_page *page,
                                     change_visitor *visit, void *context);

/* Lists at most `limit` changes of one of the member's QSOs, newest first; the QSO's creation is
 * last. Returns STORE_NONE if neither the QSO nor its history exists. */
enum store_result store_list_changes_of_qso(struct store *store, int64_t member_id, int64_t qso_id,
                                            int64_t limit, change_visitor *visit, void *context);

/* Counts the deleted QSOs in the history, except those whose creation was undone. */
enum store_result store_count_deleted(struct store *store, int64_t member_id, int64_t *count);

/* Lists at most `limit` deleted QSOs that can be restored, latest deletion first, before *position
 * (edit and id; INT64_MAX: from the newest). Moves *position to the last QSO listed. Each change
 * has the kind CHANGE_DELETED. */
enum store_result store_list_removed(struct store *store, int64_t member_id, int64_t limit,
                                     struct change_position *position, change_visitor *visit,
                                     void *context);

#endif
