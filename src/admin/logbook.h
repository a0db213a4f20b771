/* Opens the logbook. */
#ifndef QSOSYNC_ADMIN_LOGBOOK_H
#define QSOSYNC_ADMIN_LOGBOOK_H

#include <stdbool.h>

#include "admin/command.h"
#include "store/log/logbook.h"

/* Checks whether this user may use the file. If root runs the command, the process acts from then
 * on as the owner of the file's folder (base/folder.h). If another user owns the file, and this
 * user may not use it, the program ends. The message names the command to run as the owner. With
 * `to_write`, the user must be able to write the file and to create files in its folder. For a
 * missing file, only the folder counts. Other errors are reported when the file is opened. */
void logbook_check_owner(const struct invocation *invocation, const char *path, bool to_write);

/* Opens a logbook or a backup as invocation->store. If the file is not a logbook yet, the program
 * ends with a message that names the command for creating a logbook. */
void logbook_open(struct invocation *invocation, const char *path, enum opening opening);

#endif
