/* Reads files that the command line names, as the owner of their folder. Root does not use its own
 * rights, because a link in that folder could name a file that only root may read. The commands
 * interpret the content. */
#include "admin/file_argument.h"

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

/* Maps an unnamed copy of the file, because another user could truncate the file itself while it is
 * in use. A large file need not fit into memory. Ends the program if the file is too long. */
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
