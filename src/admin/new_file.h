/* Creates files that commands write. */
#ifndef QSOSYNC_ADMIN_NEW_FILE_H
#define QSOSYNC_ADMIN_NEW_FILE_H

#include <stdbool.h>
#include <stdio.h>

/* Creates a file that belongs to the owner of its folder (base/folder.h), and that only this owner
 * may read. Calls `fill` to write the content. An existing file is overwritten only if it is empty.
 * Returns true if the file is on the disk. Otherwise no new file remains, and the failure was
 * reported. */
bool new_file_fill(const char *path, bool (*fill)(void *context, FILE *file), void *context);

#endif
