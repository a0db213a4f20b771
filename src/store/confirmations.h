/* Cross-confirmation: keeps the pairs of QSOs that confirm each other true after every write. */
#ifndef QSOSYNC_STORE_CONFIRMATIONS_H
#define QSOSYNC_STORE_CONFIRMATIONS_H

#include "store/database.h"

/* After a QSO was created or updated, inside the same transaction: keeps its confirmation if it
 * still holds, ends it otherwise, and makes a new one where another member's free QSO matches. The
 * QSO has its id; confirmed_by is its present partner's id or 0. A partner that is set free looks
 * for a new partner of its own. */
enum store_result confirmations_review(struct store *store, const struct identity *member,
                                       int64_t stamp_ms, const struct qso *qso,
                                       int64_t confirmed_by);

/* Before a QSO is deleted: sets its partner free, which looks for a new one afterwards. */
enum store_result confirmations_end(struct store *store, int64_t stamp_ms, int64_t id,
                                    int64_t confirmed_by);

/* After the deletion: the partner that was set free pairs anew. */
enum store_result confirmations_pair_again(struct store *store, int64_t stamp_ms, int64_t id);

#endif
