/* Finds out whether this user may open a file, and who may: its owner, by a command line that runs
 * as that user. The system is asked, nothing is opened. The rights of other users, the workers' for
 * instance, are judged by processes.c. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pwd.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buffer.h"
#include "doctor/machine.h"

/* The folder of a path, in place: "a/b" becomes "a", "b" becomes ".". False at the root. */
static bool go_up(char path[PATH_MAX])
{
    char *slash = strrchr(path, '/');
    if (strcmp(path, "/") == 0 || strcmp(path, ".") == 0)
        return false;
    if (!slash)
        strcpy(path, ".");
    else if (slash == path)
        path[1] = '\0';
    else
        *slash = '\0';
    return true;
}

static bool may(const char *path, int mode)
{
    return faccessat(AT_FDCWD, path, mode, AT_EACCESS) == 0 || errno != EACCES;
}

/* The file or folder that we may not use; false: there is none. */
static bool find_refusal(char path[PATH_MAX], bool to_write)
{
    struct stat status;
    if (stat(path, &status) == 0) {
        if (!may(path, to_write ? R_OK | W_OK : R_OK))
            return true;
        return to_write && go_up(path) && !may(path, W_OK | X_OK);
    }
    if (errno == ENOENT)
        return to_write && go_up(path) && !may(path, W_OK | X_OK);
    while (errno == EACCES && go_up(path))
        if (stat(path, &status) == 0)
            return true;
    return false;
}

bool access_find_refusal(struct arena *arena, const char *const *line, const char *path,
                         bool to_write, struct access_refusal *out)
{
    char refusing[PATH_MAX];
    struct stat status;
    if (strlen(path) >= sizeof refusing)
        return false;
    strcpy(refusing, path);
    if (!find_refusal(refusing, to_write) || stat(refusing, &status) != 0 ||
        status.st_uid == geteuid())
        return false;
    const struct passwd *owner = getpwuid(status.st_uid);
    struct buffer words = {0};
    for (const char *const *word = line; *word; word++)
        buffer_print(&words, " %s", shell_quote(arena, *word));
    out->refusing = arena_print(arena, "%s", refusing);
    out->owner = owner ? arena_print(arena, "%s", owner->pw_name)
                       : arena_print(arena, "#%lu", (unsigned long)status.st_uid);
    out->command = arena_print(arena, "runuser -u %s -- qsosync-admin%.*s", out->owner,
                               (int)words.length, words.bytes ? words.bytes : "");
    buffer_free(&words);
    return true;
}
