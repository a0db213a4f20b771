/* Reads the name of a club, and puts it where names are made of it: /var/lib/qsosync-CLUB,
 * qsosync@CLUB.service, put-site ... --instance CLUB. What the units themselves say is made of
 * those of a single club when QSOsync is built (Makefile.am). */
#include "worker/instance.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buffer.h"
#include "installation.h"

#define VARIABLE "QSOSYNC_INSTANCE"
#define LENGTH_MAX 20
#define PUT_SITE "/put-site "

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

/* The length of "qsosync" or "qsosync-site" where a unit's name begins that a template is made of;
 * 0: none does. */
static size_t begins_unit(const char *text)
{
    static const char *const names[] = {"qsosync-site", "qsosync-backup", "qsosync"};
    static const char *const kinds[] = {".service", ".socket", ".timer"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
            size_t length = strlen(names[i]);
            if (strncmp(text, names[i], length) == 0 &&
                strncmp(text + length, kinds[k], strlen(kinds[k])) == 0)
                return length;
        }
    return 0;
}

const char *instance_adapt(struct arena *arena, const char *text)
{
    const char *name = instance_name();
    struct buffer adapted = {0};
    if (!name)
        return text;
    for (const char *at = text; *at;) {
        size_t unit = begins_unit(at);
        size_t site = strncmp(at, PUT_SITE, strlen(PUT_SITE)) == 0 ? strlen(PUT_SITE) : 0;
        if (site) /* the server and the site's name follow */
            for (int word = 0; word < 2; word++) {
                site += strspn(at + site, " ");
                site += strcspn(at + site, " ");
            }
        size_t length = unit ? unit : site ? site : 1;
        buffer_append(&adapted, at, length);
        if (unit)
            buffer_print(&adapted, "@%s", name);
        if (site)
            buffer_print(&adapted, " --instance %s", name);
        at += length;
    }
    const char *kept = arena_copy(arena, adapted.bytes, adapted.length);
    buffer_free(&adapted);
    return kept;
}

/* -- The logbook's place ----------------------------------------------------------------------- */

/* Found without reading it. On a shared host a program cannot
 * be told where it is: suexec clears the environment, and whoever uploads files may not know what
 * the machine calls their folder. */

#ifdef QSOSYNC_PORTABLE
#define PROGRAM "/proc/self/exe"
#define FOLDER "/qsosync"

/* A folder of another user, who may be called qsosync, is not ours. */
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
        if (snprintf(end, left, FOLDER) < (int)left && is_folder_of(path, program.st_uid))
            return snprintf(end, left, FOLDER "/logbook.db") < (int)left;
        *end = '\0';
    }
    return false;
}

const char *logbook_path_default(void)
{
    static char path[PATH_MAX];
    if (!*path && !find(path, sizeof path))
        snprintf(path, sizeof path, "%s", QSOSYNC_DEFAULT_DB);
    return path;
}
#else
const char *logbook_path_default(void)
{
    return QSOSYNC_DEFAULT_DB;
}
#endif
