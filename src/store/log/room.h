/* Makes room in a member's storage (storage.h) by dropping their oldest history. All calls are
 * inside a write transaction. */
#ifndef QSOSYNC_STORE_ROOM_H
#define QSOSYNC_STORE_ROOM_H

#include <stdbool.h>
#include <stdint.h>

#include "store/transaction.h"

/* Drops the member's oldest history until `bytes` more fit into their storage, but keeps the act
 * that the transaction writes. *fits is false if the bytes still do not fit. */
enum store_result store_make_room(struct transaction *transaction, int64_t member_id, int64_t bytes,
                                  bool *fits);

/* Drops the member's oldest history until their storage is within its limit. The act that the
 * transaction writes can be dropped, too; the next write then begins another act. */
enum store_result room_trim(struct transaction *transaction, int64_t member_id);

#endif
