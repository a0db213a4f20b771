/* Compares the old logbook with the candidate that will replace it. */
#ifndef QSOSYNC_RECOVERY_BOTH_LOGBOOKS_H
#define QSOSYNC_RECOVERY_BOTH_LOGBOOKS_H

#include <stdint.h>

#include "database/result.h"

struct store;

/* The relation between the old logbook and the candidate. The two are the same logbook if they
 * share an identity, or a past or current member. (A backup with an older schema has no lasting
 * identity.) */
enum logbook_relation {
    RELATION_NONE,  /* two different logbooks */
    RELATION_EMPTY, /* the old logbook has no members, as on a newly installed machine */
    RELATION_SAME,
};

/* Sets *relation. On failure, *relation is unchanged. */
enum store_result both_logbooks_compare(struct store *old, struct store *candidate,
                                        enum logbook_relation *relation);

/* Removes from the candidate all objects that were removed from the old logbook after the backup,
 * with their data. Deletes members, removes peers, and removes claims about members who no longer
 * accept claims. Adds the number of deleted members to *deleted. Other processes may use the old
 * logbook at the same time. */
enum store_result both_logbooks_apply_endings(struct store *old, struct store *candidate,
                                              int64_t *deleted);

#endif
