/* Opens the folder that a path leads into. Whether the file itself is there plays no part. */
#include "base/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool folder_sync(const char *path)
{
    char *copy = strdup(path);
    int folder = copy ? open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    free(copy);
    if (folder < 0)
        return false;
    bool synced = fsync(folder) == 0;
    int error = errno;
    close(folder);
    errno = error;
    return synced;
}
