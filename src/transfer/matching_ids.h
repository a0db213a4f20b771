/* Finds the QSOs of records by ids and by known records. */
#ifndef QSOSYNC_TRANSFER_MATCHING_IDS_H
#define QSOSYNC_TRANSFER_MATCHING_IDS_H

#include "transfer/matching_state.h"

/* Stores in *out whether one of the record's programs has given the QSO another id. Such a QSO is
 * another contact, because the search for the record's own id did not find the QSO. */
enum store_result matching_has_other_id(const struct matching *matching,
                                        const struct mapped *mapped, int64_t qso_id, bool *out);

/* Finds the QSOs of records that have a known id, or that the same source has already sent. */
enum store_result matching_find_known(struct matching_finding *finding);

#endif
