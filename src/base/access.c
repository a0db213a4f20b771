/* Asks the system whether the current user can access another user's file, without opening the
 * file. */
#include "base/access.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/shell.h"
#include "base/users.h"

static bool refuses(const char *path, int mode)
{
    return faccessat(AT_FDCWD, path, mode, AT_EACCESS) != 0 && errno == EACCES;
}

const char *access_find_refusal(struct arena *arena, const char *const *line, const char *path,
                                bool to_write, const char **command)
{
    struct stat status;
    const char *words = "";
    char *refusing = arena_print(arena, "%s", path);
    if (refuses(refusing, to_write ? R_OK | W_OK : R_OK)) {
        while (stat(refusing, &status) != 0 && errno == EACCES)
            refusing = dirname(refusing);
    } else {
        refusing = dirname(refusing);
        if (!to_write || !refuses(refusing, W_OK | X_OK))
            return NULL;
    }
    if (stat(refusing, &status) != 0 || status.st_uid == geteuid())
        return NULL;
    const char *owner = users_name(arena, status.st_uid);
    for (const char *const *word = line; *word; word++)
        words = arena_print(arena, "%s %s", words, shell_quote(arena, *word));
    *command = arena_print(arena, "runuser -u %s -- qsosync-admin%s", owner, words);
    return arena_print(arena, "%s belongs to %s", refusing, owner);
}
