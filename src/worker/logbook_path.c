/* Finds the logbook of an installation. Portable programs start the search at the path of their own
 * file. On a shared host, no setting can contain the path: suexec clears the environment, and
 * people who upload files do not always know the folder's path. */
#include "worker/logbook_path.h"

#include <limits.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/format.h"
#include "installation.h"

#ifdef QSOSYNC_PORTABLE
#define PROGRAM "/proc/self/exe"
#define FOLDER "/qsosync"

/* Returns whether the path is a folder of this user. Another user can also have a folder named
 * qsosync. */
static bool is_folder_of(const char *path, uid_t user)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == user;
}

static bool find(char *path, size_t size)
{
    struct stat program;
    ssize_t length = readlink(PROGRAM, path, size - 1);
    if (length <= 0)
        return false;
    path[length] = '\0';
    /* The resolved path is used, because under an emulator PROGRAM has the status of the emulator.
     */
    if (stat(path, &program) != 0)
        return false;
    for (char *end; (end = strrchr(path, '/')) != NULL;) {
        size_t left = size - (size_t)(end - path);
        *end = '\0';
        if (format_whole(end, left, FOLDER) && is_folder_of(path, program.st_uid))
            return format_whole(end, left, FOLDER "/logbook.db");
        *end = '\0';
    }
    return false;
}

const char *logbook_path_default(void)
{
    static char path[PATH_MAX];
    if (!*path && !find(path, sizeof path))
        format_cut(path, sizeof path, "%s", QSOSYNC_DEFAULT_DB);
    return path;
}
#else
const char *logbook_path_default(void)
{
    return QSOSYNC_DEFAULT_DB;
}
#endif
