/* Reads small files, and never waits for a file that is not a regular file. */
#include "doctor/file_text.h"

#include <fcntl.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_BYTES_MAX 65536

char *file_text_read(struct arena *arena, const char *path, size_t *length)
{
    struct stat status;
    char text[FILE_BYTES_MAX];
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    bool is_ordinary = file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode);
    size_t read_bytes = 0;
    for (ssize_t got; is_ordinary && read_bytes < sizeof text &&
                      (got = read(file, text + read_bytes, sizeof text - read_bytes)) > 0;)
        read_bytes += (size_t)got;
    if (file >= 0)
        close(file);
    if (length)
        *length = read_bytes;
    return is_ordinary ? arena_copy(arena, text, read_bytes) : NULL;
}
