/* The command restore: a whole logbook, or one member's log, out of a backup; and what it says of
 * it. */
#ifndef QSOSYNC_ADMIN_RESTORE_H
#define QSOSYNC_ADMIN_RESTORE_H

#include "admin/command.h"

int restore_run(struct invocation *invocation);

#endif
