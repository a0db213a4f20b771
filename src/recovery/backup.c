/* Copies the whole logbook to a file while the service goes on, and finds and removes what restores
 * and put-site have kept, which grows old as backups do. Noting the copy as the last backup is left
 * to backup_note.c; names, numbers and ages of backups to the command; how one comes back to
 * restore.c. */
#include "recovery/backup.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/folder.h"
#include "database/copy.h"
#include "store/store.h"

#define SITE_PREFIX "/var/backups/qsosync-site-" /* of src/service/put-site */

enum store_result store_back_up(struct store *store, const char *path)
{
    return copy_to_file(store->database->handle, path);
}

/* In ms, from the seconds at the end of a kept logbook's name, which may be numbered; 0: what
 * SQLite keeps beside it, or another file. */
static int64_t moment_of(const char *rest)
{
    char *end;
    long long seconds = strtoll(rest, &end, 10);
    if (*end == '-' && end[1] >= '0' && end[1] <= '9')
        strtoll(end + 1, &end, 10);
    return *end ? 0 : seconds * 1000;
}

/* Adds those whose path begins so. */
static void list(const char *prefix, bool is_site, struct arena *arena, struct kept_file **kept)
{
    struct dirent **entries;
    struct stat file;
    const char *folder = folder_of(prefix, arena), *start = prefix + strlen(folder);
    int count = scandir(folder, &entries, NULL, alphasort);
    for (int i = count - 1; i >= 0; i--) {
        const char *name = entries[i]->d_name, *path = arena_print(arena, "%s%s", folder, name);
        int64_t made_at_ms = 0;
        if (strncmp(name, start, strlen(start)) == 0 && lstat(path, &file) == 0)
            made_at_ms = is_site ? (int64_t)file.st_ctime * 1000 : moment_of(name + strlen(start));
        if (made_at_ms > 0) {
            struct kept_file *added = arena_allocate(arena, sizeof *added);
            *added = (struct kept_file){*kept, path, made_at_ms, is_site};
            *kept = added;
        }
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
}

struct kept_file *backup_list_kept(const char *logbook, struct arena *arena)
{
    struct kept_file *kept = NULL;
    char *real = realpath(logbook, NULL);
    list(SITE_PREFIX, true, arena, &kept);
    list(arena_print(arena, "%s" COPY_KEPT_SUFFIX, real ? real : logbook), false, arena, &kept);
    free(real);
    return kept;
}

void backup_remove_kept(const char *logbook, int64_t before_ms, struct arena *arena)
{
    struct folder_ids before;
    for (const struct kept_file *kept = backup_list_kept(logbook, arena); kept; kept = kept->next)
        if (!kept->is_site && kept->made_at_ms < before_ms &&
            folder_act_as_owner(kept->path, &before)) {
            copy_remove(kept->path);
            folder_act_as(before);
        }
}
