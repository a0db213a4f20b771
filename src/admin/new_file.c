/* Makes and removes files as the owner of their folder, so that a link in that folder cannot make
 * root give another file away. A file that exists already is never overwritten. What is written
 * into it is left to the command. */
#include "admin/new_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "admin/command.h"
#include "base/folder.h"

/* An empty one, as mktemp makes it, holds nothing that could be lost. */
static int open_empty(const char *path)
{
    struct stat status;
    int file = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size == 0)
        return file;
    if (file >= 0)
        close(file);
    errno = EEXIST;
    return -1;
}

int new_file_open(const char *path)
{
    struct folder_ids before;
    int file = -1;
    if (folder_act_as_owner(path, &before)) {
        file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
        if (file < 0 && errno == EEXIST)
            file = open_empty(path);
    }
    int error = errno;
    folder_act_as(before);
    if (file < 0)
        command_refuse("%s: cannot make the file: %s", path, strerror(error));
    return file;
}

void new_file_remove(const char *path)
{
    struct folder_ids before;
    if (folder_act_as_owner(path, &before))
        unlink(path);
    folder_act_as(before);
}
