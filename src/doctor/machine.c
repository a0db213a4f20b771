/* Reads the systemd units of this machine, and finds the running workers in /proc (proc(5)).
 * Another user's processes show less; the checks interpret that. */
#include "doctor/machine.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/text.h"
#include "base/text_search.h"
#include "installation.h"
#include "worker/instance.h"

/* -- Units ------------------------------------------------------------------------------------- */

/* Files of the operator, the running system, make install and a package. If a name is in several
 * folders, the first file counts; the operator's drop-ins add to it. */
static const char *const folders[] = {"/etc/systemd/system", "/run/systemd/system",
                                      "/usr/local/lib/systemd/system", "/lib/systemd/system"};

/* Words are separated by blanks; quotes, which may start inside a word, protect blanks. */
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
    char *save = NULL, *text = files_read(arena, path, NULL);
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

/* The file of a club's unit, qsosync@CLUB.service, is its template, qsosync@.service. */
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

/* -- Files and processes ----------------------------------------------------------------------- */

#define FILE_BYTES_MAX 65536
#define NAME_BYTES 15        /* bytes of a process's name in /proc */
#define DELETED " (deleted)" /* suffix in /proc if the file was replaced */

/* In the order of enum worker_program. */
static const char *const program_names[] = {"qsosync.fcgi", "qsosync-site.fcgi"};
#define PROGRAMS (sizeof program_names / sizeof *program_names)

char *files_read(struct arena *arena, const char *path, size_t *length)
{
    struct stat status;
    char text[FILE_BYTES_MAX];
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    bool is_ordinary = file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode);
    size_t read_bytes = 0;
    for (ssize_t got; is_ordinary && read_bytes < sizeof text &&
                      (got = read(file, text + read_bytes, sizeof text - read_bytes)) > 0;)
        read_bytes += (size_t)got;
    if (file >= 0)
        close(file);
    if (length)
        *length = read_bytes;
    return is_ordinary ? arena_copy(arena, text, read_bytes) : NULL;
}

const char *processes_name(struct arena *arena, pid_t process)
{
    char *name = files_read(arena, arena_print(arena, "/proc/%ld/comm", (long)process), NULL);
    if (name)
        name[strcspn(name, "\n")] = '\0';
    return name;
}

/* -- Rights ------------------------------------------------------------------------------------ */

struct folder_ids rights_regain(void)
{
    const struct folder_ids before = {geteuid(), getegid()};
    if (getuid() == 0)
        folder_act_as((struct folder_ids){0, 0});
    return before;
}

/* -- Workers ----------------------------------------------------------------------------------- */

static const char *find_logbook(struct arena *arena, const char *process)
{
    size_t length = 0;
    const char *name = "QSOSYNC_DB=", *path = arena_print(arena, "/proc/%s/environ", process);
    const char *environment = files_read(arena, path, &length);
    for (const char *word = environment; word && word < environment + length;
         word += strlen(word) + 1)
        if (strncmp(word, name, strlen(name)) == 0)
            return word + strlen(name);
    return NULL;
}

/* Recognises a worker by the file of its program. Processes in a user namespace, such as those of
 * the shipped units, hide it even from the same user. Those are recognised by their name, which the
 * system cuts to 15 bytes. */
static bool is_worker(struct arena *arena, const char *process, struct worker *out)
{
    char path[PATH_MAX];
    ssize_t length = readlink(arena_print(arena, "/proc/%s/exe", process), path, sizeof path - 1);
    if (length < 0 && errno != EACCES)
        return false;
    path[length < 0 ? 0 : length] = '\0';
    char *deleted = strstr(path, DELETED), *slash = strrchr(path, '/');
    out->is_old = deleted && deleted[strlen(DELETED)] == '\0';
    if (out->is_old)
        *deleted = '\0';
    out->path = slash ? arena_print(arena, "%s", path) : NULL;
    const char *name = slash ? slash + 1 : processes_name(arena, out->pid);
    for (size_t i = 0; name && i < PROGRAMS; i++)
        if (strncmp(name, program_names[i], slash ? PATH_MAX : NAME_BYTES) == 0) {
            out->program = (enum worker_program)i;
            return true;
        }
    return false;
}

/* And not in a container, whose processes have a name space of their own. */
static bool is_of_this_machine(struct arena *arena, const char *process)
{
    const char *space = arena_print(arena, "/proc/%s/ns/pid", process);
    return access(space, F_OK) != 0 || folder_is_same("/proc/self/ns/pid", space);
}

struct worker *processes_find_workers(struct arena *arena)
{
    struct worker *first = NULL;
    for (const char **process = folder_list("/proc", arena); *process; process++) {
        struct worker found = {.next = first, .pid = (pid_t)strtol(*process, NULL, 10)};
        if (found.pid == 0 || !is_worker(arena, *process, &found) ||
            !is_of_this_machine(arena, *process))
            continue;
        const char *status =
            files_read(arena, arena_print(arena, "/proc/%s/status", *process), NULL);
        const char *line = status ? strstr(status, "\nUid:") : NULL;
        if (!line || sscanf(line, " Uid: %*u %u", &found.user) != 1)
            continue;
        found.logbook = find_logbook(arena, *process);
        first = arena_allocate(arena, sizeof *first);
        *first = found;
    }
    return first;
}

bool processes_run(struct arena *arena, const char *name)
{
    for (const char **process = folder_list("/proc", arena); *process; process++) {
        const pid_t pid = (pid_t)strtol(*process, NULL, 10);
        const char *own = pid ? processes_name(arena, pid) : NULL;
        if (own && strncmp(own, name, strlen(name)) == 0 && is_of_this_machine(arena, *process))
            return true;
    }
    return false;
}

/* The sockets that listen come first in these files (proc(5)), so their beginning is enough. */
bool processes_is_port_open(struct arena *arena, unsigned port)
{
    static const char *const files[] = {"/proc/net/tcp", "/proc/net/tcp6"};
    const char *pattern = arena_print(arena, "^ *[0-9]+: [0-9A-F]+:%04X [0-9A-F]+:0000 0A ", port);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const char *text = files_read(arena, files[i], NULL);
        if (text && text_search(text, pattern, REG_NEWLINE, 0, NULL))
            return true;
    }
    return false;
}
