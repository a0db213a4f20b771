/* Taking back, for the command undo. */
#ifndef QSOSYNC_ADMIN_UNDO_H
#define QSOSYNC_ADMIN_UNDO_H

#include "admin/command.h"

int undo_run(struct invocation *invocation);

#endif
