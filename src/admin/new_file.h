/* Files that commands make for a person: an export of a log, or of a member. */
#ifndef QSOSYNC_ADMIN_NEW_FILE_H
#define QSOSYNC_ADMIN_NEW_FILE_H

/* Makes a file that its owner alone may read, as the owner of its folder (base/folder.h). One that
 * exists is never overwritten, unless it is empty. Returns it open for writing, or -1 after a line
 * on standard error. */
int new_file_open(const char *path);

/* Removes what was made. */
void new_file_remove(const char *path);

#endif
