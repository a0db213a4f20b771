/* Deletes QSOs. All calls are inside a write transaction; nothing that a caller passes is kept. */
#ifndef QSOSYNC_STORE_QSOS_DELETE_H
#define QSOSYNC_STORE_QSOS_DELETE_H

#include <stdint.h>

#include "base/uuid.h"
#include "store/credentials.h"
#include "store/transaction.h"

/* Deletes the member's QSO with this clientId, and its spot. Ends its confirmation, leaves a
 * tombstone, and stores its content in the history. Returns STORE_NONE if the member has no such
 * QSO. */
enum store_result store_delete_qso(struct transaction *transaction, const struct identity *member,
                                   const unsigned char client_id[UUID_BYTES]);

/* Deletes the member's QSO with this id, as store_delete_qso does. Returns STORE_NONE if the member
 * has no such QSO. */
enum store_result qsos_delete_own(struct transaction *transaction, const struct identity *member,
                                  int64_t id);

/* Deletes a QSO and its spot, without leaving a tombstone or history. Ends the QSO's confirmation
 * by the QSO `confirmed_by` (0: none). */
enum store_result qsos_delete(struct transaction *transaction, int64_t member_id, int64_t id,
                              int64_t confirmed_by);

#endif
