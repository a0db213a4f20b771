/* Reads units of systemd as they are written on this machine: the lines that the doctor needs. Of a
 * name that stands in several folders the first file counts; drop-ins add to it. Whether a setting
 * is right is judged by check_workers.c. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/folder.h"
#include "doctor/machine.h"
#include "installation.h"
#include "worker/instance.h"

/* What the operator, the running system, make install and a package put there. */
static const char *const folders[] = {"/etc/systemd/system", "/run/systemd/system",
                                      "/usr/local/lib/systemd/system", "/lib/systemd/system"};
#define FOLDER_COUNT (sizeof folders / sizeof *folders)

static void set_variable(struct unit *unit, const char *assignment, const char *file)
{
    size_t length = strcspn(assignment, "=") + 1;
    int i = 0;
    while (unit->variables[i] && strncmp(unit->variables[i], assignment, length) != 0)
        i++;
    if (i == UNIT_VARIABLES_MAX)
        return;
    unit->variables[i] = assignment;
    unit->files[i] = file;
}

/* Words apart by blanks; quotes, which may begin inside a word, keep a blank in it. */
static void add_variables(struct unit *unit, struct arena *arena, const char *value,
                          const char *file)
{
    if (!*value)
        memset(unit->variables, 0, sizeof unit->variables);
    for (value += strspn(value, " \t"); *value; value += strspn(value, " \t")) {
        char *word = arena_allocate(arena, strlen(value) + 1), *end = word, quote = '\0';
        for (; *value && (quote || !strchr(" \t", *value)); value++)
            if (quote ? *value == quote : *value == '"' || *value == '\'')
                quote = quote ? '\0' : *value;
            else
                *end++ = *value;
        *end = '\0';
        set_variable(unit, word, file);
    }
}

/* The value of a line; %i, in a template, is the club's name. */
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
    struct text whole = text_trim(text_of(line));
    char *equals = memchr(whole.bytes, '=', whole.length);
    if (whole.length == 0 || strchr("#;[", *whole.bytes) || !equals)
        return;
    struct text name = text_trim((struct text){whole.bytes, (size_t)(equals - whole.bytes)});
    struct text rest =
        text_trim((struct text){equals + 1, (size_t)(whole.bytes + whole.length - equals - 1)});
    const char *value = rest.length ? with_instance(arena, rest) : "";
    if (text_equals(name, text_of("Environment")))
        add_variables(unit, arena, value, file);
    else if (text_equals(name, text_of("User")))
        unit->user = value;
    else if (text_equals(name, text_of("ListenStream")))
        unit->port = value;
}

static void take_file(struct unit *unit, struct arena *arena, const char *path)
{
    size_t length;
    char *save = NULL, *text = processes_read_file(arena, path, &length);
    for (char *line = text ? strtok_r(text, "\n", &save) : NULL; line;
         line = strtok_r(NULL, "\n", &save))
        take_line(unit, arena, line, path);
}

static int is_drop_in(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');
    return dot && strcmp(dot, ".conf") == 0;
}

static void take_drop_ins(struct unit *unit, struct arena *arena, const char *name)
{
    for (size_t i = FOLDER_COUNT; i > 0; i--) {
        struct dirent **entries;
        const char *folder = arena_print(arena, "%s/%s.d", folders[i - 1], name);
        int count = scandir(folder, &entries, is_drop_in, alphasort);
        for (int k = 0; k < count; k++) {
            take_file(unit, arena, arena_print(arena, "%s/%s", folder, entries[k]->d_name));
            free(entries[k]);
        }
        if (count >= 0)
            free(entries);
    }
}

static bool is_enabled(struct arena *arena, const char *name)
{
    static const char *const targets[] = {"sockets", "multi-user", "timers"};
    struct stat status;
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
        if (lstat(arena_print(arena, "%s/%s.target.wants/%s", folders[0], targets[i], name),
                  &status) == 0)
            return true;
    return false;
}

/* Of a club's unit, qsosync@CLUB.service, the file is that of its template, qsosync@.service. */
static const char *template_of(struct arena *arena, const char *name)
{
    const char *at = strchr(name, '@'), *dot = strrchr(name, '.');
    return at && dot && instance_name()
               ? arena_print(arena, "%.*s%s", (int)(at + 1 - name), name, dot)
               : name;
}

/* By "systemctl mask", or an empty file. */
static bool is_mask(const char *path)
{
    struct stat file;
    return stat(path, &file) == 0 &&
           (S_ISREG(file.st_mode) ? file.st_size == 0 : folder_is_same(path, "/dev/null"));
}

/* What a masked unit is about stands in the file that is hidden. */
static void take_place(struct unit *unit, struct arena *arena, const char *path, bool by_operator)
{
    if (access(path, F_OK) != 0)
        return;
    if (!unit->path && is_mask(path)) {
        unit->masked = true;
    } else if (!unit->path) {
        unit->path = path;
        unit->by_operator = by_operator;
        take_file(unit, arena, path);
    } else if (!unit->hidden && !unit->masked &&
               !folder_is_same(unit->path, path)) { /* /lib may lead to /usr/lib */
        unit->hidden = path;
    }
}

void units_read(struct arena *arena, const char *asked, struct unit *out)
{
    const char *unit = instance_adapt(arena, asked), *name = template_of(arena, unit);
    *out = (struct unit){.enabled = is_enabled(arena, unit)};
    for (size_t i = 0; i < FOLDER_COUNT; i++) {
        const char *path = arena_print(arena, "%s/%s", folders[i], unit);
        if (unit != name && access(path, F_OK) == 0 && is_mask(path))
            out->masked = true;
        take_place(out, arena, arena_print(arena, "%s/%s", folders[i], name), i == 0);
    }
    if (out->path)
        take_drop_ins(out, arena, name);
    if (out->path && unit != asked)
        take_drop_ins(out, arena, unit);
}

const char *units_variable(const struct unit *unit, const char *name, const char **file)
{
    size_t length = strlen(name);
    for (int i = 0; unit->variables[i]; i++)
        if (strncmp(unit->variables[i], name, length) == 0 && unit->variables[i][length] == '=') {
            if (file)
                *file = unit->files[i];
            return unit->variables[i] + length + 1;
        }
    return NULL;
}

bool units_use_logbook(const struct unit *unit, const char *logbook)
{
    const char *named = units_variable(unit, "QSOSYNC_DB", NULL);
    return unit->path && folder_is_same(named ? named : QSOSYNC_DEFAULT_DB, logbook);
}
