/* Finds records in one run that describe the same contact, and the values that such records
 * share. */
#ifndef QSOSYNC_TRANSFER_REPEATED_H
#define QSOSYNC_TRANSFER_REPEATED_H

#include "base/number_set.h"
#include "transfer/matching_record.h"

/* Finds repeated records. The contact and the key of each record must be filled. The last record of
 * each contact counts; the other records receive the state MATCHING_REPEATED and refer to a later
 * record. If a later record of another contact has the same id, the id is removed from the earlier
 * record. `came` contains the hashes of earlier records in the run. */
void repeated_find(struct matching_record *const *records, size_t count,
                   const struct number_set *came, struct arena *arena);

/* Removes an id and its digest from a record. */
void repeated_remove_id(struct matching_record *record, size_t index);

/* Calls `visit` with the values that the record shares with any other record that is, or can be,
 * the same contact. */
void repeated_tell(const struct matching_record *record, matching_visitor *visit, void *context);

#endif
