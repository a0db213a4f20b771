/* Opens the logbook. */
#ifndef QSOSYNC_ADMIN_LOGBOOK_H
#define QSOSYNC_ADMIN_LOGBOOK_H

#include <stdbool.h>

#include "admin/command.h"
#include "store/log/logbook.h"

/* Checks whether this user may use the file. If root runs the command, it acts from now on as the
 * owner of the file's folder (folder.h). If another user owns the file, and this user may not use
 * it, the program ends with the command to run as the owner. With `to_write`, the user must be able
 * to write the file and to create files in its folder; for a missing file, only the folder counts.
 * Opening the file reports other errors. */
void logbook_check_owner(const struct invocation *invocation, const char *path, bool to_write);

/* Opens a logbook or a backup as invocation->store. If there is none, the program ends with the
 * command that creates one. */
void logbook_open(struct invocation *invocation, const char *path, enum opening opening);

#endif
