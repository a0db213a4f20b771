/* Opens and reads files of the command line as the owner of their folder. Root does not use root's
 * rights for a file that others can put there. The commands read the content. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "admin/command.h"
#include "base/folder.h"

#define CHUNK_BYTES 65536

static _Noreturn void refuse(const char *path, const char *act)
{
    command_refuse("%s: cannot %s the file: %s", path, act, strerror(errno));
}

static int open_given(const char *path)
{
    struct folder_ids before;
    struct stat status;
    if (strcmp(path, "-") == 0)
        return STDIN_FILENO;
    int file = folder_act_as_owner(path, &before) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    int error = errno;
    folder_act_as(before);
    if (file >= 0 && fstat(file, &status) == 0 && S_ISDIR(status.st_mode)) {
        close(file);
        file = -1;
        error = EISDIR;
    }
    errno = error;
    if (file < 0)
        refuse(path, "read");
    return file;
}

/* Maps a copy without a name, because a file of somebody else may be cut meanwhile, and a large one
 * need not fit into memory. */
static struct text map_copy(int file, const char *path, size_t maximum, FILE *copy)
{
    char chunk[CHUNK_BYTES];
    struct text text = {"", 0};
    ssize_t got;
    while (text.length <= maximum && (got = read(file, chunk, sizeof chunk)) != 0) {
        if (got < 0)
            refuse(path, "read");
        if (fwrite(chunk, 1, (size_t)got, copy) != (size_t)got)
            break;
        text.length += (size_t)got;
    }
    if (text.length > maximum)
        command_refuse("%s is longer than %zu bytes", path, maximum);
    if (fflush(copy) == 0 && text.length > 0)
        text.bytes = mmap(NULL, text.length, PROT_READ, MAP_PRIVATE, fileno(copy), 0);
    if (ferror(copy) || text.bytes == MAP_FAILED)
        refuse(path, "copy");
    return text;
}

struct text file_argument_read(const char *path, size_t maximum)
{
    int file = open_given(path);
    FILE *copy = tmpfile();
    struct text text = {0};
    if (copy) {
        text = map_copy(file, path, maximum, copy);
        fclose(copy);
    } else {
        refuse(path, "copy");
    }
    if (file != STDIN_FILENO)
        close(file);
    return text;
}

/* Makes and removes files as the owner of their folder, so that a link in that folder cannot make
 * root give another file away. An existing file is never overwritten. The command writes the
 * content. */

/* An empty one, as mktemp makes it, holds nothing that could be lost. */
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
