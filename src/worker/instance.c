/* Reads the name of a club, and puts it into names: /var/lib/qsosync-CLUB, qsosync@CLUB.service,
 * put-site ... --instance CLUB. The units themselves are derived from those of a single club when
 * QSOsync is built (Makefile.am). */
#include "worker/instance.h"

#include <limits.h>
#include <regex.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/format.h"
#include "installation.h"

#define VARIABLE "QSOSYNC_INSTANCE"
#define LENGTH_MAX 20

bool instance_is_name(const char *text)
{
    size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789");
    return length > 0 && length <= LENGTH_MAX && text[length] == '\0' && *text >= 'a';
}

bool instance_is_valid(void)
{
    const char *text = getenv(VARIABLE);
    return !text || !*text || instance_is_name(text);
}

const char *instance_name(void)
{
    const char *text = getenv(VARIABLE);
    return text && instance_is_name(text) ? text : NULL;
}

const char *instance_database(struct arena *arena)
{
    const char *path = logbook_path_default();
    const char *name = instance_name(), *file = strrchr(path, '/');
    return name ? arena_print(arena, "%.*s-%s%s", (int)(file - path), path, name, file) : path;
}

/* Names that each club has of its own: a unit made from a template, and the command with the server
 * and the site's name. */
#define NAMES "(qsosync(-site|-backup)?)\\.(service|socket|timer)|/put-site( +[^ ]*){2}"

const char *instance_adapt(struct arena *arena, const char *text)
{
    const char *name = instance_name(), *adapted = "";
    regmatch_t found[2];
    regex_t names;
    if (!name || regcomp(&names, NAMES, REG_EXTENDED) != 0)
        return text;
    while (regexec(&names, text, 2, found, 0) == 0) {
        const bool is_unit = found[1].rm_eo > 0;
        const int end = is_unit ? found[1].rm_eo : found[0].rm_eo;
        adapted = arena_print(arena, "%s%.*s%s%s", adapted, end, text,
                              is_unit ? "@" : " --instance ", name);
        text += end;
    }
    regfree(&names);
    return arena_print(arena, "%s%s", adapted, text);
}

/* -- The logbook's place ----------------------------------------------------------------------- */

/* Finds the program without reading it. On a shared host no setting can pass its path: suexec
 * clears the environment, and people who upload files may not know the path of their folder on the
 * machine. */

#ifdef QSOSYNC_PORTABLE
#define PROGRAM "/proc/self/exe"
#define FOLDER "/qsosync"

/* A folder of another user, who may be called qsosync, does not count. */
static bool is_folder_of(const char *path, uid_t user)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == user;
}

static bool find(char *path, size_t size)
{
    struct stat program;
    ssize_t length = readlink(PROGRAM, path, size - 1);
    if (length <= 0)
        return false;
    path[length] = '\0';
    /* Not PROGRAM's own status, which under an emulator is that of the emulator. */
    if (stat(path, &program) != 0)
        return false;
    for (char *end; (end = strrchr(path, '/')) != NULL;) {
        size_t left = size - (size_t)(end - path);
        *end = '\0';
        if (format_whole(end, left, FOLDER) && is_folder_of(path, program.st_uid))
            return format_whole(end, left, FOLDER "/logbook.db");
        *end = '\0';
    }
    return false;
}

const char *logbook_path_default(void)
{
    static char path[PATH_MAX];
    if (!*path && !find(path, sizeof path))
        format_cut(path, sizeof path, "%s", QSOSYNC_DEFAULT_DB);
    return path;
}
#else
const char *logbook_path_default(void)
{
    return QSOSYNC_DEFAULT_DB;
}
#endif
