/* Finds the QSOs of records by content. */
#ifndef QSOSYNC_TRANSFER_MATCHING_CONTENT_H
#define QSOSYNC_TRANSFER_MATCHING_CONTENT_H

#include "transfer/matching_state.h"

/* Finds the QSOs of the remaining records by content. If is_whole is false (see matching_find),
 * records that can belong to stored QSOs are deferred. */
enum store_result matching_find_alike(struct matching_finding *finding, bool is_whole);

#endif
