/* Reads a member's QSOs in the order of their changes. log.h reads QSOs in the order of their
 * contacts; qsos_save.h and qsos_delete.h write QSOs.
 *
 * Lists run inside a read transaction. Find functions run inside a read transaction or a write
 * transaction. A QSO that a visitor receives is valid during the call; the texts of a QSO that is
 * found are in the arena. */
#ifndef QSOSYNC_STORE_QSOS_H
#define QSOSYNC_STORE_QSOS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/uuid.h"
#include "qso/qso.h"
#include "store/position.h"
#include "store/transaction.h"

/* Calls visit for at most `limit` of the member's QSOs after `after`, in the order of (synced_at,
 * id). */
enum store_result store_list_qsos(struct store *store, int64_t member_id, struct position after,
                                  int64_t limit, qso_visitor *visit, void *context);

/* Calls visit for at most `limit` of the member's QSOs with ids greater than `after`, in the order
 * of their ids. */
enum store_result store_list_qsos_by_id(struct store *store, int64_t member_id, int64_t after,
                                        int64_t limit, qso_visitor *visit, void *context);

/* Moves *position to the last of the next `count` QSOs in the order of (synced_at, id), without
 * reading the QSOs. Returns STORE_NONE if no further QSO follows these QSOs. */
enum store_result store_skip_qsos(struct store *store, int64_t member_id, int64_t count,
                                  struct position *position);

/* Counts the member's QSOs. */
enum store_result store_count_qsos(struct store *store, int64_t member_id, int64_t *count);

/* Receives a QSO's id and its clientId (NULL: none). Returns false to end the list. */
typedef bool id_visitor(void *context, int64_t id, const unsigned char *client_id);

/* Calls visit for each of the member's QSOs, in the order of (synced_at, id), without keeping the
 * QSOs in memory. If visit ends the list, the result is STORE_DONE. */
enum store_result store_list_ids(struct store *store, int64_t member_id, id_visitor *visit,
                                 void *context);

/* Finds the member's QSO with this clientId. Returns STORE_NONE if no QSO has the clientId, and
 * STORE_CONFLICT if another member's QSO has it. */
enum store_result store_find_qso(struct store *store, int64_t member_id,
                                 const unsigned char client_id[UUID_BYTES], struct arena *arena,
                                 struct qso *out);

/* Finds the member's QSO with this id. Returns STORE_NONE if the member has no such QSO. */
enum store_result store_find_own_qso(struct store *store, int64_t member_id, int64_t id,
                                     struct arena *arena, struct qso *out);

/* Finds the member's QSO without a clientId that has this id, and was first saved at this time.
 * Returns STORE_NONE if the member has no such QSO. */
enum store_result store_find_qso_by_id_and_time(struct store *store, int64_t member_id, int64_t id,
                                                int64_t created_at_ms, struct arena *arena,
                                                struct qso *out);

/* Finds the member's next QSO after *position in the order of (synced_at, id), if the QSO's stamp
 * is earlier than before_ms. Moves *position to the QSO, and sets *confirmed_by to its partner's id
 * (0: none). Returns STORE_NONE if no such QSO follows. */
enum store_result qsos_find_next(struct store *store, int64_t member_id, int64_t before_ms,
                                 struct position *position, int64_t *confirmed_by);

#endif
