/* Creates files as the owner of their folder, so that a link in that folder cannot direct root's
 * writes to another file. A file with content is never overwritten. The command writes the content.
 */
#include "admin/new_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "admin/command.h"
#include "base/folder.h"

/* Opens a new file, or an existing file (for example from mktemp) that is empty and therefore has
 * no content to lose. Returns -1 after a failure, which was reported. */
static int open_new(const char *path)
{
    struct folder_ids before;
    struct stat status;
    int file = -1;
    if (folder_act_as_owner(path, &before))
        file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file < 0 && errno == EEXIST) {
        file = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
        if (file >= 0 &&
            (fstat(file, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size > 0)) {
            close(file);
            file = -1;
        }
        errno = EEXIST;
    }
    int error = errno;
    folder_act_as(before);
    if (file < 0)
        command_fail("%s: cannot create the file: %s", path, strerror(error));
    return file;
}

bool new_file_fill(const char *path, bool (*fill)(void *context, FILE *file), void *context)
{
    struct folder_ids before;
    const int descriptor = open_new(path);
    if (descriptor < 0)
        return false;
    FILE *file = fdopen(descriptor, "w");
    bool filled = fill(context, file);
    if (fflush(file) != 0 || ferror(file) || fsync(descriptor) != 0) {
        command_fail("%s: cannot write the file: %s", path, strerror(errno));
        filled = false;
    }
    fclose(file);
    if (!filled && folder_act_as_owner(path, &before)) {
        unlink(path);
        folder_act_as(before);
    }
    return filled;
}
