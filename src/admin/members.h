/* Finding the member that a command names. */
#ifndef QSOSYNC_ADMIN_MEMBERS_H
#define QSOSYNC_ADMIN_MEMBERS_H

#include "admin/command.h"

/* The member whose callsign is the first argument, in the invocation's arena; false after a line on
 * standard error. */
bool members_find(struct invocation *invocation, struct member *member);

#endif
