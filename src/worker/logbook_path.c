/* Finds the logbook of an installation, and reads nothing of it. On a shared host a program cannot
 * be told where it is: suexec clears the environment, and whoever uploads files may not know what
 * the machine calls their folder. */
#include "worker/logbook_path.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "installation.h"

#ifdef QSOSYNC_PORTABLE
#define PROGRAM "/proc/self/exe"
#define FOLDER "/qsosync"

/* A folder of another user, who may be called qsosync, is not ours. */
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
    /* Not PROGRAM's own status, which under an emulator is that of the emulator. */
    if (stat(path, &program) != 0)
        return false;
    for (char *end; (end = strrchr(path, '/')) != NULL;) {
        size_t left = size - (size_t)(end - path);
        *end = '\0';
        if (snprintf(end, left, FOLDER) < (int)left && is_folder_of(path, program.st_uid))
            return snprintf(end, left, FOLDER "/logbook.db") < (int)left;
        *end = '\0';
    }
    return false;
}

const char *logbook_path_default(void)
{
    static char path[PATH_MAX];
    if (!*path && !find(path, sizeof path))
        snprintf(path, sizeof path, "%s", QSOSYNC_DEFAULT_DB);
    return path;
}
#else
const char *logbook_path_default(void)
{
    return QSOSYNC_DEFAULT_DB;
}
#endif
