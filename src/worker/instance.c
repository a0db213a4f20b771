/* Reads the name of a club, and inserts the name into other names: /var/lib/qsosync-CLUB,
 * qsosync@CLUB.service, put-site ... --instance CLUB. The build derives the template units from the
 * units for a single club (Makefile.am). */
#include "worker/instance.h"

#include <regex.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "worker/logbook_path.h"

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

/* Matches names that differ per club: a unit made from a template, and the command put-site with
 * its server and name. */
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
