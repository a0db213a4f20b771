/* Makes room in a member's storage (store/storage.h) by removing the member's oldest history. All
 * calls are inside a write transaction. */
#ifndef QSOSYNC_STORE_ROOM_H
#define QSOSYNC_STORE_ROOM_H

#include <stdbool.h>
#include <stdint.h>

#include "store/transaction.h"

/* Removes the member's oldest history until `bytes` more bytes fit into the member's storage, but
 * keeps the act that the transaction writes. Stores in *fits whether the bytes now fit. */
enum store_result store_make_room(struct transaction *transaction, int64_t member_id, int64_t bytes,
                                  bool *fits);

/* Removes the member's oldest history until the member's storage is within its limit. Even the act
 * that the transaction writes can be removed; the next write then begins another act. */
enum store_result room_trim(struct transaction *transaction, int64_t member_id);

#endif
