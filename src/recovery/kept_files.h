/* The previous logbooks that restores keep next to the logbook, and the previous sites that
 * src/service/put-site keeps. */
#ifndef QSOSYNC_RECOVERY_KEPT_FILES_H
#define QSOSYNC_RECOVERY_KEPT_FILES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

struct kept_file {
    struct kept_file *next;
    const char *path;
    int64_t made_at_ms;
    bool is_site; /* a site, which belongs to root */
};

/* Lists the kept logbooks and sites, in the arena; NULL: no files. */
struct kept_file *kept_files_list(const char *logbook, struct arena *arena);

/* Removes the previous logbooks that were kept before that time. */
void kept_files_remove(const char *logbook, int64_t before_ms, struct arena *arena);

#endif
