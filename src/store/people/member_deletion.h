/* Deletes members and logs in many short transactions, so that other writers can write in between.
 * After a failure, some QSOs have already been deleted, and the next call continues. */
#ifndef QSOSYNC_STORE_MEMBER_DELETION_H
#define QSOSYNC_STORE_MEMBER_DELETION_H

#include <stdint.h>

#include "database/result.h"

struct store;

/* Deletes the member with all QSOs, their history, keys, sessions and spots. Confirmations of other
 * members' QSOs end. The member must be inactive. */
enum store_result store_delete_member(struct store *store, int64_t member_id);

/* Deletes all of the member's QSOs and their history. Sets *deleted to the number of deleted QSOs,
 * even after a failure. */
enum store_result store_delete_log(struct store *store, int64_t member_id, int64_t *deleted);

#endif
