/* Saves a QSO, with everything that a write entails: the QSO's history, extra fields, spot and
 * confirmation, the counts on a station's page, and the stamp of the log. All calls are inside a
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
    int64_t spotted_at_ms; /* time at which the spot was published; 0: never */
};

/* Creates or updates a member's QSO, found by its clientId, or by an id from
 * store_find_qso_by_id_and_time. Fields that an update can omit keep their values. Publishes a spot
 * only once, if sendSpot is true, and if the member has published fewer than STORE_SPOTS_A_MINUTE
 * in the last minute. Returns STORE_CONFLICT if another member uses the clientId.
 *
 * `leftovers` are the QSO's extra fields, in the format in which they are stored (no text: the
 * stored extra fields stay). If `leftovers` differ from the stored extra fields, they replace the
 * stored extra fields, and count as a change of the content. */
enum store_result store_save_qso(struct transaction *transaction, const struct identity *member,
                                 const struct qso *qso, struct text leftovers,
                                 struct saved_qso *out);

/* Restores the content from the edit `edit` in a stored or deleted QSO, for an undo. Re-evaluates
 * the QSO's confirmation, but publishes no spot. The caller records the history. */
enum store_result qsos_put_back(struct transaction *transaction, const struct identity *member,
                                const struct qso *qso, int64_t edit, bool is_there,
                                int64_t confirmed_by);

/* Records for clients and caches that the member's log has changed. Later calls in the same
 * transaction have no effect. Do not call this function inside an entry's savepoint, which can be
 * rolled back. */
enum store_result qsos_revise_log(struct transaction *transaction, int64_t member_id);

#endif
