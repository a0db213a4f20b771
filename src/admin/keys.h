/* Collects the keys of all members for a list. */
#ifndef QSOSYNC_ADMIN_KEYS_H
#define QSOSYNC_ADMIN_KEYS_H

#include "admin/command.h"
#include "admin/listing.h"

/* Fills *listing with the keys of all members, and a column for the members. The rows are in the
 * invocation's arena. */
void keys_collect_all(const struct invocation *invocation, struct listing *listing);

#endif
