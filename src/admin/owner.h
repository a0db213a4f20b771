/* The user that a command runs as. The commonest mistake with an installation is a user who may not
 * open the logbook: every command explains it in the same words. */
#ifndef QSOSYNC_ADMIN_OWNER_H
#define QSOSYNC_ADMIN_OWNER_H

#include <stdbool.h>

#include "admin/command.h"

/* Where root runs the command: from now on it acts as the owner of the file's folder (folder.h).
 * False after a line on standard error. */
bool owner_become(const char *path);

/* Whether this user may read a file, or where `to_write` read and write it and make files beside it
 * (a file that does not exist yet is judged by its folder). Otherwise false, after a line that
 * names the owner and the command line to run as that user. Other reasons are reported by whoever
 * opens the file. */
bool owner_may_open(const struct invocation *invocation, const char *path, bool to_write);

/* Opens the logbook, or another file that is one. */

/* Opens it as invocation->store; false after a line on standard error, which says what to do. */
bool logbook_open(struct invocation *invocation, const char *path, enum opening opening);

#endif
