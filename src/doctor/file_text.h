/* Reads small text files on this machine. */
#ifndef QSOSYNC_DOCTOR_FILE_TEXT_H
#define QSOSYNC_DOCTOR_FILE_TEXT_H

#include <stddef.h>

#include "base/arena.h"

/* Returns the first 64 kB of the file, with a final NUL, and sets *length unless `length` is NULL.
 * Returns NULL if the file cannot be read or is not a regular file. Follows links, and never waits
 * for a file. */
char *file_text_read(struct arena *arena, const char *path, size_t *length);

#endif
