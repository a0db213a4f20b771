/* Identifies QSOs without a clientId, which are from before synchronisation. */
#ifndef QSOSYNC_RECOVERY_CLIENT_IDS_H
#define QSOSYNC_RECOVERY_CLIENT_IDS_H

#include <stdint.h>

#include "database/result.h"
#include "store/people/members.h"

struct store;

struct qso_without_client_id {
    int64_t member_id, created_at_ms;
};

/* Finds a QSO without a clientId by its id. Returns STORE_NONE if there is no such QSO. */
enum store_result client_ids_find_qso(struct store *store, int64_t id,
                                      struct qso_without_client_id *out);

/* Assigns a clientId to each QSO in the candidate that lacks one, unless the member's log has the
 * same QSO. Every run assigns the same ids: a restored QSO gets another id, so nothing else would
 * identify it later. A QSO that the log has is identified by its id and the time when it was saved.
 */
enum store_result client_ids_assign(struct store *candidate, const struct member *former,
                                    struct store *store, const struct member *member);

#endif
