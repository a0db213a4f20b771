/* Identifies QSOs that were saved before synchronisation and therefore have no clientId. */
#ifndef QSOSYNC_RECOVERY_CLIENT_IDS_H
#define QSOSYNC_RECOVERY_CLIENT_IDS_H

#include <stdint.h>

#include "database/result.h"
#include "store/people/members.h"

struct store;

struct qso_without_client_id {
    int64_t member_id, created_at_ms;
};

/* Finds a QSO without a clientId by the QSO's id. Returns STORE_NONE if no QSO without a clientId
 * has this id. */
enum store_result client_ids_find_qso(struct store *store, int64_t id,
                                      struct qso_without_client_id *out);

/* Assigns a clientId to each of the member's QSOs without a clientId in the candidate, unless the
 * current log still contains the QSO. A QSO in the log is recognised by its id and the time when it
 * was saved. Every run assigns the same clientIds: a restored QSO gets a new id, so only the
 * clientId identifies the QSO later. */
enum store_result client_ids_assign(struct store *candidate, const struct member *in_backup,
                                    struct store *store, const struct member *member);

#endif
