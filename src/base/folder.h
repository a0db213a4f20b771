/* The folder that a file is in. */
#ifndef QSOSYNC_BASE_FOLDER_H
#define QSOSYNC_BASE_FOLDER_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

#include "base/arena.h"

/* The path of the folder that the file of this path is in, in the arena: up to and with the last
 * slash; "./" if there is none. */
const char *folder_of(const char *path, struct arena *arena);

/* The names of what is in the folder, sorted, in the arena; NULL follows the last. A folder that
 * cannot be read has none. */
const char **folder_list(const char *folder, struct arena *arena);

/* The path of the file beside this one that has its name and the suffix; if this path is a
 * symbolic link, beside the file that it leads to, so that everybody finds the same file, whatever
 * path they were given. False with errno set if the path would be too long. */
bool folder_path_beside(const char *path, const char *suffix, char out[PATH_MAX]);

/* Syncs the folder of this path to the disk: files that were made, renamed or removed there stay so
 * after a power cut. False with errno set when that cannot be done. */
bool folder_sync(const char *path);

/* Syncs the file's content to the disk, also what other processes wrote. The same. */
bool folder_sync_file(const char *path);

/* Whether both paths lead to the same file or folder; equal paths do, also if nothing is there.
 */
bool folder_is_same(const char *one, const char *other);

/* Opens an ordinary file, with these flags of open(2) and O_CLOEXEC. Whatever else stands there, or
 * a link, is refused instead of blocking, as a FIFO would: -1 with errno ENXIO, EINVAL or ELOOP. A
 * file that the flags create gets mode 0660. */
int folder_open_file(const char *path, int flags);

/* The user and group that a process uses files as. */
struct folder_ids {
    uid_t user;
    gid_t group;
};

/* A process that root has started acts from now on as the owner of the folder of this path. If
 * that is root, but others own a folder or a link on the way, it acts as the last of them: whoever
 * can change where a path leads gains nothing from it, and what is made there is the owner's.
 * Everybody else stays who they are. *before (may be NULL) becomes the ids that the process had.
 * Returns false with errno set when that cannot be done. */
bool folder_act_as_owner(const char *path, struct folder_ids *before);

/* Restores the previous ids. */
bool folder_act_as(struct folder_ids ids);

#endif
