/* Reads units of systemd as they are written on this machine: the lines that the doctor needs. Of a
 * name that stands in several folders the first file counts; drop-ins add to it. Whether a setting
 * is right is judged by check_units.c. */
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/text.h"
#include "doctor/machine.h"
#include "installation.h"
#include "worker/instance.h"

#define BYTES_MAX 65536

char *file_text_read(struct arena *arena, const char *path, size_t *length)
{
    struct stat status;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    *length = 0;
    if (file < 0 || fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) {
        if (file >= 0)
            close(file);
        return NULL;
    }
    char *text = arena_allocate(arena, BYTES_MAX + 1);
    ssize_t got;
    while (*length < BYTES_MAX && (got = read(file, text + *length, BYTES_MAX - *length)) > 0)
        *length += (size_t)got;
    close(file);
    text[*length] = '\0';
    return text;
}

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
    char *save = NULL, *text = file_text_read(arena, path, &length);
    for (char *line = text ? strtok_r(text, "\n", &save) : NULL; line;
         line = strtok_r(NULL, "\n", &save))
        take_line(unit, arena, line, path);
}

static int is_drop_in(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');
    return dot && strcmp(dot, ".conf") == 0;
}

static void take_drop_ins(struct unit *unit, struct arena *arena, const char *folder)
{
    struct dirent **entries;
    int count = scandir(folder, &entries, is_drop_in, alphasort);
    for (int i = 0; i < count; i++) {
        take_file(unit, arena, arena_print(arena, "%s/%s", folder, entries[i]->d_name));
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
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

void units_read(struct arena *arena, const char *asked, struct unit *out)
{
    const char *unit = instance_adapt(arena, asked), *name = template_of(arena, unit);
    *out = (struct unit){.enabled = is_enabled(arena, unit)};
    for (size_t i = 0; i < FOLDER_COUNT; i++) {
        const char *path = arena_print(arena, "%s/%s", folders[i], name);
        if (access(path, F_OK) != 0)
            continue;
        if (!out->path) {
            out->path = path;
            out->by_operator = i == 0;
            take_file(out, arena, path);
        } else if (!out->hidden &&
                   !folder_is_same(out->path, path)) { /* /lib may lead to /usr/lib */
            out->hidden = path;
        }
    }
    for (size_t i = FOLDER_COUNT; out->path && i > 0; i--)
        take_drop_ins(out, arena, arena_print(arena, "%s/%s.d", folders[i - 1], name));
    for (size_t i = FOLDER_COUNT; out->path && unit != asked && i > 0; i--)
        take_drop_ins(out, arena, arena_print(arena, "%s/%s.d", folders[i - 1], unit));
}

const char *units_variable(const struct unit *unit, const char *name)
{
    size_t length = strlen(name);
    for (int i = 0; unit->variables[i]; i++)
        if (strncmp(unit->variables[i], name, length) == 0 && unit->variables[i][length] == '=')
            return unit->variables[i] + length + 1;
    return NULL;
}

bool units_use_logbook(const struct unit *unit, const char *logbook)
{
    const char *named = units_variable(unit, "QSOSYNC_DB");
    return unit->path && folder_is_same(named ? named : QSOSYNC_DEFAULT_DB, logbook);
}
