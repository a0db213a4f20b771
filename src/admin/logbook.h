/* Opens the logbook, or another file that is one. */
#ifndef QSOSYNC_ADMIN_LOGBOOK_H
#define QSOSYNC_ADMIN_LOGBOOK_H

#include "admin/command.h"

/* Opens it as invocation->store; false after a line on standard error, which says what to do. */
bool logbook_open(struct invocation *invocation, const char *path, enum opening opening);

#endif
