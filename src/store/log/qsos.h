/* QSOs: the log of each member, in the order of its changes. deletions.h has its other data. */
#ifndef QSOSYNC_STORE_QSOS_H
#define QSOSYNC_STORE_QSOS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "qso/qso.h"
#include "store/credentials.h"
#include "store/position.h"
#include "store/transaction.h"

/* Calls visit for at most `limit` QSOs of the member after `after`, in the order of (synced_at,
 * id), inside a read transaction. The QSO's texts are valid during the call. */
enum store_result store_list_qsos(struct store *store, int64_t member_id, struct position after,
                                  int64_t limit, qso_visitor *visit, void *context);

/* The same by their ids alone, in that order, from the one after `after`. */
enum store_result store_list_qsos_by_id(struct store *store, int64_t member_id, int64_t after,
                                        int64_t limit, qso_visitor *visit, void *context);

/* Moves *position to the last of the next `count` QSOs in the order of (synced_at, id), inside a
 * read transaction, without reading the QSOs. STORE_NONE: no other QSO follows that one. */
enum store_result store_skip_qsos(struct store *store, int64_t member_id, int64_t count,
                                  struct position *position);

typedef bool id_visitor(void *context, int64_t id, const unsigned char *client_id);

/* How many QSOs the member has, inside a read transaction. */
enum store_result store_count_qsos(struct store *store, int64_t member_id, int64_t *count);

/* Calls visit for every QSO of the member, in the same order, inside a read transaction, without
 * keeping any of them in memory. client_id is NULL for a QSO without one. Stops early, with
 * STORE_DONE, when visit returns false. */
enum store_result store_list_ids(struct store *store, int64_t member_id, id_visitor *visit,
                                 void *context);

/* The member's QSO with this clientId, inside a transaction of either kind; its texts are in the
 * arena. STORE_NONE: nobody has one. STORE_CONFLICT: another member's has it. */
enum store_result store_find_qso(struct store *store, int64_t member_id,
                                 const unsigned char client_id[16], struct arena *arena,
                                 struct qso *out);

/* Finds the member's QSO with this id; its texts are in the arena. STORE_NONE: no such QSO. */
enum store_result store_find_own_qso(struct store *store, int64_t member_id, int64_t id,
                                     struct arena *arena, struct qso *out);

/* The same for a QSO without a clientId, by its id. STORE_NONE: no such QSO, it is another
 * member's, or was first saved at another time. */
enum store_result store_find_qso_by_id_and_time(struct store *store, int64_t member_id, int64_t id,
                                                int64_t created_at_ms, struct arena *arena,
                                                struct qso *out);

/* The outcome for one entry of a batch. */
struct saved_qso {
    int64_t id;
    int64_t spotted_at_ms; /* 0: never spotted */
};

/* Creates or updates one QSO of the member inside the open write transaction, found by its
 * clientId, or by an id from store_find_qso_by_id_and_time. Fields that keep their value when
 * omitted keep it. A spot is published once if sendSpot asks for it and the member has published
 * fewer than STORE_SPOTS_A_MINUTE. The QSO's confirmation is made, kept or ended. STORE_CONFLICT:
 * the clientId is another member's. STORE_REFUSED: only the QSO was rolled back. After any result
 * but these and STORE_DONE the transaction can only be rolled back.
 *
 * Leftovers come from the record of a QSO, or from the stored data of a QSO that comes back. If
 * they differ from the present leftovers, they replace them, and count as a change of the content.
 * No text: the present leftovers stay. */
enum store_result store_save_qso(struct transaction *transaction, const struct identity *member,
                                 const struct qso *qso, struct text leftovers,
                                 struct saved_qso *out);

/* Deletes the member's QSO with its spot, ends its confirmation, and leaves a tombstone and its
 * content in the history, inside the open write transaction. STORE_NONE: the member has no such
 * QSO. */
enum store_result store_delete_qso(struct transaction *transaction, const struct identity *member,
                                   const unsigned char client_id[16]);

/* -- For other files of the store and of recovery ---------------------------------------------- */

/* Finds the member's next QSO after `position` in the order of stamps, if it is older than
 * before_ms: *position becomes that of the QSO, *confirmed_by its partner's id or 0. STORE_NONE: no
 * more. */
enum store_result qsos_find_next(struct store *store, int64_t member_id, int64_t before_ms,
                                 struct position *position, int64_t *confirmed_by);

/* The same as store_delete_qso, by its id. */
enum store_result qsos_delete_own(struct transaction *transaction, const struct identity *member,
                                  int64_t id);

/* Gives a QSO that exists, or comes back under its id, this content, which is that of the edit. Its
 * confirmation is decided again, and no spot is published. Does not touch the history. */
enum store_result qsos_put_back(struct transaction *transaction, const struct identity *member,
                                struct qso *qso, int64_t edit, bool is_there, int64_t confirmed_by);

/* Deletes a QSO with its spot, without a tombstone and without history, and ends its confirmation
 * by `confirmed_by` (0: none). */
enum store_result qsos_delete(struct transaction *transaction, int64_t member_id, int64_t id,
                              int64_t confirmed_by);

/* Records that the member's log has changed, for clients and caches; acts only once in a
 * transaction. Do not call it inside an entry's savepoint, which may be rolled back. */
enum store_result qsos_revise_log(struct transaction *transaction, int64_t member_id);

#endif
