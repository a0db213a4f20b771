/* A batch: QSOs that a program or a page sends to be added or updated, each accepted or rejected on
 * its own, all saved in one transaction (API section 4.4). The API and the profile take it alike.
 */
#ifndef QSOSYNC_TRANSFER_BATCH_H
#define QSOSYNC_TRANSFER_BATCH_H

#include "base/arena.h"
#include "base/buffer.h"
#include "json/read.h"
#include "qso/qso.h"
#include "qso/fields.h"
#include "store/qsos.h"

#define BATCH_ENTRIES_MAX 200 /* (API section 8) */

struct batch_entry {
    const struct json_value *client_id; /* as it was sent; NULL: the entry is no object */
    struct qso qso;
    bool has_base;   /* baseSyncedAt: only a QSO that has not changed since then */
    int64_t base_ms; /* is replaced */
    const struct rejection *rejection; /* NULL: accepted */
    struct saved_qso saved;
    int64_t synced_at_ms; /* of the stored QSO that is newer than the base */
};

struct batch {
    struct batch_entry *entries;
    size_t count;
};

/* Reads the JSON of a body and judges each entry; all of it lives in the arena. On false nothing
 * may be saved: *field is wrong, and *message says why, as json/read.h does. */
bool batch_read(struct text body, struct arena *arena, struct batch *batch, const char **field,
                const char **message);

/* Saves what was accepted, inside an open write transaction; what the store refuses alone becomes a
 * rejection. After anything but STORE_DONE the transaction can only be rolled back. */
enum store_result batch_save(struct transaction *transaction, const struct identity *member,
                             struct batch *batch);

/* Appends {"results":[…]}, one for each entry, in their order. */
void batch_append_results(const struct batch *batch, struct buffer *body);

#endif
