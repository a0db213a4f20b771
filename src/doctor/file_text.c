/* Reads a small file of this machine as a whole, from /proc or a unit of systemd. The file may be
 * somebody else's: it is not waited for, and only its first 64 kB are read. What it says is taken
 * apart by the callers. */
#include "doctor/file_text.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define BYTES_MAX 65536

char *file_text_read(struct arena *arena, const char *path, size_t *length)
{
    struct stat status;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    *length = 0;
    if (file < 0 || fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) {
        if (file >= 0)
            close(file);
        return NULL;
    }
    char *text = arena_allocate(arena, BYTES_MAX + 1);
    ssize_t got;
    while (*length < BYTES_MAX && (got = read(file, text + *length, BYTES_MAX - *length)) > 0)
        *length += (size_t)got;
    close(file);
    text[*length] = '\0';
    return text;
}
