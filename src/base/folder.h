/* Folders, the files in them, and their owners. */
#ifndef QSOSYNC_BASE_FOLDER_H
#define QSOSYNC_BASE_FOLDER_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

#include "base/arena.h"

/* Returns the path of the folder that contains the file, in the arena: everything up to and
 * including the last slash, or "./" if the path has no slash. */
const char *folder_of(const char *path, struct arena *arena);

/* Returns the sorted names in the folder, in the arena, with a NULL after the last name. A folder
 * that cannot be read has no names. */
const char **folder_list(const char *folder, struct arena *arena);

/* Writes the path of another file in the same folder, named like the file at `path` with the suffix
 * added. If `path` is a symbolic link, its target counts, so all links to a logbook share these
 * files. Returns false with errno set if the result would be too long. */
bool folder_path_beside(const char *path, const char *suffix, char out[PATH_MAX]);

/* Syncs the folder that contains this path to the disk. A power cut then does not undo the
 * creation, renaming or removal of a file. Returns false with errno set on failure. */
bool folder_sync(const char *path);

/* Syncs the file's content to the disk, including what other processes have written. Returns false
 * with errno set on failure. */
bool folder_sync_file(const char *path);

/* Returns whether both paths refer to the same file or folder. The result is true for equal paths
 * even if no file exists there. */
bool folder_is_same(const char *one, const char *other);

/* Opens a regular file, with these flags of open(2) and O_CLOEXEC. For any other kind of file,
 * returns -1 with errno ENXIO, EINVAL, EISDIR or ELOOP. Thus no FIFO can block the program, and no
 * link can redirect it to another file. If the flags create the file, its mode is 0660. */
int folder_open_file(const char *path, int flags);

/* The user and group under which a process accesses files. */
struct folder_ids {
    uid_t user;
    gid_t group;
};

/* Makes a process that root has started act as the owner of this path's folder. If root owns that
 * folder, but other users own folders or links in the path, the process acts as the last of these
 * users. Users who can redirect a path thus gain nothing, and new files belong to the owner. For a
 * process that another user has started, nothing changes. *before (can be NULL) receives the
 * previous ids. Returns false with errno set on failure. */
bool folder_act_as_owner(const char *path, struct folder_ids *before);

/* Makes a process that root has started act under these ids, for example the previous ids. Does
 * nothing in any other process. Returns false with errno set on failure. */
bool folder_act_as(struct folder_ids ids);

#endif
