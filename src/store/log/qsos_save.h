/* Saves a QSO, with everything that a write entails: its history, extra fields, spot and
 * confirmation, the counts of a station's page, and the stamp of the log. All calls are inside a
 * write transaction.
 *
 * The caller owns all arguments; nothing is kept. STORE_REFUSED means that the database rejected
 * the QSO, and that only the QSO was rolled back. After STORE_BUSY and STORE_BROKEN the
 * transaction can only be rolled back. */
#ifndef QSOSYNC_STORE_QSOS_SAVE_H
#define QSOSYNC_STORE_QSOS_SAVE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "qso/qso.h"
#include "store/credentials.h"
#include "store/transaction.h"

/* The outcome of a save. */
struct saved_qso {
    int64_t id;
    int64_t spotted_at_ms; /* 0: never spotted */
};

/* Creates or updates a QSO of the member, found by its clientId, or by an id from
 * store_find_qso_by_id_and_time. Fields that an update may omit keep their value. Publishes a spot
 * once, if sendSpot asks for it and the member has published fewer than STORE_SPOTS_A_MINUTE.
 * STORE_CONFLICT: another member uses the clientId.
 *
 * `leftovers` are the extra fields of the QSO, as they are stored (no text: the stored ones stay).
 * If they differ from the stored extra fields, they replace them, and count as a change of the
 * content. */
enum store_result store_save_qso(struct transaction *transaction, const struct identity *member,
                                 const struct qso *qso, struct text leftovers,
                                 struct saved_qso *out);

/* Gives a stored or deleted QSO the content of the edit `edit`, for an undo. Decides the QSO's
 * confirmation again, but publishes no spot. The caller records the history. */
enum store_result qsos_put_back(struct transaction *transaction, const struct identity *member,
                                const struct qso *qso, int64_t edit, bool is_there,
                                int64_t confirmed_by);

/* Records that the member's log has changed, for clients and caches, once in a transaction. Do not
 * call it inside an entry's savepoint, which can be rolled back. */
enum store_result qsos_revise_log(struct transaction *transaction, int64_t member_id);

#endif
