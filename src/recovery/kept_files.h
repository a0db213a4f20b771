/* Lists and removes previous logbooks, which restores keep next to the logbook. Also lists previous
 * sites, which src/service/put-site keeps. */
#ifndef QSOSYNC_RECOVERY_KEPT_FILES_H
#define QSOSYNC_RECOVERY_KEPT_FILES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

struct kept_file {
    struct kept_file *next;
    const char *path;
    int64_t made_at_ms;
    bool is_site; /* whether the file is a site, which belongs to root */
};

/* Lists the kept logbooks and sites, in the arena. Returns NULL if nothing was kept. */
struct kept_file *kept_files_list(const char *logbook, struct arena *arena);

/* Removes the previous logbooks that were kept before this time. */
void kept_files_remove(const char *logbook, int64_t before_ms, struct arena *arena);

#endif
