/* A file that is named on the command line, to be read: a log, or a list of members. */
#ifndef QSOSYNC_ADMIN_GIVEN_FILE_H
#define QSOSYNC_ADMIN_GIVEN_FILE_H

#include <sys/types.h>

#include "admin/command.h"

/* Opens it as the owner of its folder; "-" is the standard input. -1 after a line on standard
 * error. */
int given_file_open(const char *path);

/* The next bytes of what was opened: how many, 0 at its end, -1 after a line on standard error. */
ssize_t given_file_read(int file, const char *path, void *bytes, size_t length);

/* Opens, reads and closes it; more than `maximum` bytes are refused. The text is in the
 * invocation's arena. False after a line on standard error. */
bool given_file_take(struct invocation *invocation, const char *path, size_t maximum,
                     struct text *text);

/* Files that commands make for a person: an export of a log, or of a member. */

/* Makes a file that its owner alone may read, as the owner of its folder (base/folder.h). One that
 * exists is never overwritten, unless it is empty. Returns it open for writing, or -1 after a line
 * on standard error. */
int new_file_open(const char *path);

/* Removes what was made. */
void new_file_remove(const char *path);

#endif
