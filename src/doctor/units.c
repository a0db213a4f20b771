/* Reads systemd units from their files. systemctl show is not enough: it fails if systemd is not
 * running, and does not report which file sets a value. Findings name that file. */
#include "doctor/units.h"

#include <fnmatch.h>
#include <string.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/text.h"
#include "doctor/file_text.h"
#include "installation.h"
#include "worker/instance.h"

/* The folders for units from the operator, the running system, make install and a package. If
 * several folders contain the unit, the first file counts. Drop-ins are read only from the
 * operator's folder. */
static const char *const folders[] = {"/etc/systemd/system", "/run/systemd/system",
                                      "/usr/local/lib/systemd/system", "/lib/systemd/system"};

/* Adds the variables in a line. Spaces and tabs separate words; quotes, which can start inside a
 * word, protect spaces and tabs. */
static void add_variables(struct unit *unit, struct arena *arena, const char *words,
                          const char *file)
{
    for (words += strspn(words, " \t"); *words; words += strspn(words, " \t")) {
        struct variable *variable = arena_allocate(arena, sizeof *variable);
        char *word = arena_allocate(arena, strlen(words) + 1), *end = word, quote = '\0';
        for (; *words && (quote || !strchr(" \t", *words)); words++)
            if (quote ? *words == quote : *words == '"' || *words == '\'')
                quote = quote ? '\0' : *words;
            else
                *end++ = *words;
        *end = '\0';
        *variable = (struct variable){unit->variables, word, file};
        unit->variables = variable;
    }
}

/* Returns the value of a line, with %i (in a template) replaced by the club's name. */
static const char *with_instance(struct arena *arena, struct text value)
{
    const char *name = instance_name();
    char *text = arena_print(arena, "%.*s", (int)value.length, value.bytes);
    for (char *mark; name && (mark = strstr(text, "%i"));)
        text = arena_print(arena, "%.*s%s%s", (int)(mark - text), text, name, mark + 2);
    return text;
}

static void take_line(struct unit *unit, struct arena *arena, const char *line, const char *file)
{
    size_t length = strcspn(line, "=");
    if (!line[length])
        return;
    const struct text given = text_trim((struct text){line, length});
    const struct text rest = text_trim(text_of(line + length + 1));
    const char *value = rest.length ? with_instance(arena, rest) : "";
    if (text_equals(given, text_of("User")))
        unit->user = value;
    else if (text_equals(given, text_of("ListenStream")))
        unit->port = value;
    else if (text_equals(given, text_of("Environment")) && *value)
        add_variables(unit, arena, value, file);
    else if (text_equals(given, text_of("Environment")))
        unit->variables = NULL;
}

static void take_file(struct unit *unit, struct arena *arena, const char *path)
{
    char *save = NULL, *text = file_text_read(arena, path, NULL);
    for (char *line = text ? strtok_r(text, "\n", &save) : NULL; line;
         line = strtok_r(NULL, "\n", &save))
        take_line(unit, arena, line, path);
}

static void take_drop_ins(struct unit *unit, struct arena *arena, const char *name)
{
    const char *folder = arena_print(arena, "%s/%s.d", folders[0], name);
    for (const char **file = folder_list(folder, arena); *file; file++)
        if (fnmatch("*.conf", *file, 0) == 0)
            take_file(unit, arena, arena_print(arena, "%s/%s", folder, *file));
}

/* Reads a unit. A club's unit, qsosync@CLUB.service, is in the file of its template,
 * qsosync@.service. */
const struct unit *units_read(struct arena *arena, const char *asked)
{
    const char *name = instance_adapt(arena, asked), *template = name;
    const char *at = strchr(name, '@'), *dot = strrchr(name, '.');
    if (at && dot && instance_name())
        template = arena_print(arena, "%.*s%s", (int)(at + 1 - name), name, dot);
    struct unit *unit = arena_allocate_zeroed(arena, sizeof *unit);
    for (size_t i = 0; i < sizeof folders / sizeof *folders && !unit->path; i++) {
        const char *path = arena_print(arena, "%s/%s", folders[i], template);
        unit->path = access(path, F_OK) == 0 ? path : NULL;
    }
    if (!unit->path)
        return unit;
    take_file(unit, arena, unit->path);
    take_drop_ins(unit, arena, template);
    if (name != template)
        take_drop_ins(unit, arena, name);
    return unit;
}

const struct variable *units_find(const struct unit *unit, const char *name)
{
    const struct variable *found = unit->variables;
    while (found && strncmp(found->assignment, name, strcspn(name, "=") + 1) != 0)
        found = found->next;
    return found;
}

const char *units_value(const struct unit *unit, const char *name)
{
    const struct variable *found = units_find(unit, name);
    return found ? found->assignment + strcspn(name, "=") + 1 : NULL;
}

bool units_use_logbook(const struct unit *unit, const char *logbook)
{
    const char *named = units_value(unit, "QSOSYNC_DB=");
    return unit->path && folder_is_same(named ? named : QSOSYNC_DEFAULT_DB, logbook);
}
