/* QSOs without a clientId, from before synchronisation, when one log is restored. */
#ifndef QSOSYNC_RECOVERY_NAMELESS_H
#define QSOSYNC_RECOVERY_NAMELESS_H

#include <stdint.h>

#include "database/result.h"
#include "store/members.h"

/* STORE_NONE: no QSO without a clientId has this id. */
enum store_result nameless_find(struct store *store, int64_t id, int64_t *member_id,
                                int64_t *created_at_ms);

/* Gives each such QSO of a member in the copy of a backup that the member's log lacks a clientId,
 * the same each time: one that comes back gets another id, by which nobody would know it again. One
 * that the log has is known by its id and the moment it was saved, and stays as it is. */
enum store_result nameless_name_missing(struct store *candidate, const struct member *former,
                                        struct store *store, const struct member *member);

#endif
