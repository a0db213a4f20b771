/* Small text files of this machine: of /proc, and units of systemd. */
#ifndef QSOSYNC_DOCTOR_FILE_TEXT_H
#define QSOSYNC_DOCTOR_FILE_TEXT_H

#include <stddef.h>

#include "base/arena.h"

/* The first 64 kB of the file, NUL-terminated, in the arena; NULL where it cannot be read or is no
 * ordinary file, which is not waited for. Links are followed. */
char *file_text_read(struct arena *arena, const char *path, size_t *length);

#endif
