/* Finds the stored QSO for another program's record: by an id, by the known records, or by its
 * content. Files, uploads, PoLo and the API's clients use this module inside the write transaction
 * that saves the records.
 *
 *     matching = matching_create(...);
 *     for each write transaction: matching_find, then joining_save for each record */
#ifndef QSOSYNC_TRANSFER_MATCHING_H
#define QSOSYNC_TRANSFER_MATCHING_H

#include "base/arena.h"
#include "store/credentials.h"
#include "store/transaction.h"
#include "transfer/matching_record.h"
#include "transfer/matching_source.h"

/* The state of a run of records that are sent together: a file or a request. */
struct matching;

/* Creates the state of a run in the arena. All arguments must outlive the state. `keeps` is false
 * if each transaction is rolled back. */
struct matching *matching_create(struct store *store, const struct identity *member,
                                 const struct matching_source *source, bool keeps,
                                 struct arena *arena);

const struct matching_source *matching_source(const struct matching *matching);
const struct contact_own *matching_own(const struct matching *matching);

/* Makes matching_find call `visit` with the values that each record shares with other records. */
void matching_tell(struct matching *matching, matching_visitor *visit, void *context);

/* Finds the QSOs of the records, in the open write transaction. If is_whole is true, no record is
 * deferred. If the run has other records, is_whole is false: pass deferred records again after the
 * QSOs of all other records were found. The arena contains data about the records, and must stay
 * valid until the records are saved. */
enum store_result matching_find(struct matching *matching, struct matching_record *const *records,
                                size_t count, bool is_whole, struct arena *arena);

/* Records that a record of this run has created the QSO, so that the content of a later record does
 * not match the QSO. */
void matching_take(struct matching *matching, int64_t qso_id);

/* Makes space for `bytes` bytes of data in addition to QSOs. *fits receives whether the member has
 * enough space. */
enum store_result matching_make_room(struct matching *matching, struct transaction *transaction,
                                     int64_t bytes, bool *fits);

#endif
