/* Lists the files that restores and put-site have kept, and removes kept logbooks, which expire
 * like backups. Kept sites belong to root, and only put-site removes them. */
#include "recovery/kept_files.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/folder.h"
#include "database/copy.h"

#define SITE_PREFIX "/var/backups/qsosync-site-" /* prefix that src/service/put-site uses */

/* Returns a kept logbook's time in milliseconds, from the seconds at the end of its name. A number
 * can follow the seconds. Returns 0 for any other file, such as SQLite's write-ahead log next to a
 * kept logbook. */
static int64_t moment_of(const char *rest)
{
    char *end;
    long long seconds = strtoll(rest, &end, 10);
    if (*end == '-' && end[1] >= '0' && end[1] <= '9')
        strtoll(end + 1, &end, 10);
    return *end ? 0 : seconds * 1000;
}

/* Adds the files whose paths begin with the prefix, sorted, before the files already in the list.
 */
static void list(const char *prefix, bool is_site, struct arena *arena, struct kept_file **kept)
{
    struct stat file;
    const char *folder = folder_of(prefix, arena), *start = prefix + strlen(folder);
    for (const char **name = folder_list(folder, arena); *name; name++) {
        const char *path = arena_print(arena, "%s%s", folder, *name);
        if (strncmp(*name, start, strlen(start)) != 0 || lstat(path, &file) != 0)
            continue;
        struct kept_file *added = arena_allocate(arena, sizeof *added);
        *added = (struct kept_file){*kept, path, moment_of(*name + strlen(start)), is_site};
        if (is_site)
            added->made_at_ms = (int64_t)file.st_ctime * 1000;
        if (added->made_at_ms > 0) {
            *kept = added;
            kept = &added->next;
        }
    }
}

struct kept_file *kept_files_list(const char *logbook, struct arena *arena)
{
    struct kept_file *kept = NULL;
    char *real = realpath(logbook, NULL);
    list(SITE_PREFIX, true, arena, &kept);
    list(arena_print(arena, "%s" COPY_KEPT_SUFFIX, real ? real : logbook), false, arena, &kept);
    free(real);
    return kept;
}

void kept_files_remove(const char *logbook, int64_t before_ms, struct arena *arena)
{
    struct folder_ids before;
    for (const struct kept_file *kept = kept_files_list(logbook, arena); kept; kept = kept->next)
        if (!kept->is_site && kept->made_at_ms < before_ms &&
            folder_act_as_owner(kept->path, &before)) {
            copy_remove(kept->path);
            folder_act_as(before);
        }
}
