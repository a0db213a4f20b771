/* Lists of keys. */
#ifndef QSOSYNC_ADMIN_KEYS_H
#define QSOSYNC_ADMIN_KEYS_H

#include "admin/command.h"
#include "admin/listing.h"

/* Fills *listing, in the invocation's arena, with the keys of all members, who have a column. */
void keys_collect_all(const struct invocation *invocation, struct listing *listing);

#endif
