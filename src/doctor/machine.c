/* Finds in /proc (proc(5)) the workers that run on this machine, who keeps a byte of a file locked
 * and who listens at a port, and judges what a user may do with a file. A worker is known by its
 * program's file. Another user's processes show less; what that means is left to the checks. */
#include "doctor/machine.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/folder.h"
#include "installation.h"
#include "worker/instance.h"

/* Reads units of systemd as they are written on this machine: the lines that the doctor needs. Of a
 * name that stands in several folders the first file counts; drop-ins add to it. Whether a setting
 * is right is judged by check_workers.c. */

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

#define FILE_BYTES_MAX 65536
#define NAME_BYTES 15        /* of a process, in /proc */
#define DELETED " (deleted)" /* what /proc adds where the file has been replaced */
#define MOMENT_NS 150000000
#define LISTENS 0x0A /* the state in /proc/net/tcp */

/* In the order of enum worker_program. */
static const char *const program_names[] = {"qsosync.fcgi", "qsosync-site.fcgi"};
#define PROGRAMS (sizeof program_names / sizeof *program_names)

char *processes_read_file(struct arena *arena, const char *path, size_t *length)
{
    struct stat status;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    *length = 0;
    if (file < 0 || fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) {
        if (file >= 0)
            close(file);
        return NULL;
    }
    char *text = arena_allocate(arena, FILE_BYTES_MAX + 1);
    ssize_t got;
    while (*length < FILE_BYTES_MAX &&
           (got = read(file, text + *length, FILE_BYTES_MAX - *length)) > 0)
        *length += (size_t)got;
    close(file);
    text[*length] = '\0';
    return text;
}

static char *read_of(struct arena *arena, const char *process, const char *name, size_t *length)
{
    return processes_read_file(arena, arena_print(arena, "/proc/%s/%s", process, name), length);
}

static const char *read_comm(struct arena *arena, const char *process)
{
    size_t length;
    char *name = read_of(arena, process, "comm", &length);
    if (name)
        name[strcspn(name, "\n")] = '\0';
    return name;
}

/* Calls visit with the number of each process until it returns false. What it puts into `scratch`
 * is given back after each. */
static void walk(bool (*visit)(void *context, struct arena *scratch, const char *process),
                 void *context)
{
    DIR *directory = opendir("/proc");
    struct dirent *entry;
    bool goes_on = true;
    while (directory && goes_on && (entry = readdir(directory))) {
        struct arena scratch = {0};
        if (isdigit((unsigned char)*entry->d_name))
            goes_on = visit(context, &scratch, entry->d_name);
        arena_free(&scratch);
    }
    if (directory)
        closedir(directory);
}

/* -- Users ------------------------------------------------------------------------------------- */

const char *users_name(struct arena *arena, uid_t id)
{
    const struct passwd *found = getpwuid(id);
    return found ? arena_print(arena, "%s", found->pw_name)
                 : arena_print(arena, "%lu", (unsigned long)id);
}

bool users_find(struct arena *arena, const char *name, struct user *out)
{
    const struct passwd *user = getpwnam(name);
    if (!user)
        return false;
    *out = (struct user){.id = user->pw_uid, .group_count = USER_GROUPS_MAX};
    out->name = arena_print(arena, "%s", name);
    if (getgrouplist(name, user->pw_gid, out->groups, &out->group_count) < 0)
        out->group_count = USER_GROUPS_MAX;
    return true;
}

bool users_may(const struct user *user, const struct stat *file, mode_t bits)
{
    if (user->id == 0)
        return true;
    if (user->id == file->st_uid)
        return (file->st_mode >> 6 & bits) == bits;
    for (int i = 0; i < user->group_count; i++)
        if (user->groups[i] == file->st_gid)
            return (file->st_mode >> 3 & bits) == bits;
    return (file->st_mode & bits) == bits;
}

/* -- Workers ----------------------------------------------------------------------------------- */

/* The numbers of a line such as "Groups:\t4 24 27". */
static const char *find_line(const char *status, const char *name)
{
    const char *line = strstr(status, name);
    return line ? line + strlen(name) : "";
}

static void read_ids(struct arena *arena, const char *status, struct user *out)
{
    unsigned user = 0, group = 0;
    sscanf(find_line(status, "\nUid:"), "%*u %u", &user);
    sscanf(find_line(status, "\nGid:"), "%*u %u", &group);
    *out = (struct user){.id = user, .groups = {group}, .group_count = 1};
    out->name = users_name(arena, user);
    const char *line = find_line(status, "\nGroups:");
    while (*line && *line != '\n' && out->group_count < USER_GROUPS_MAX) {
        char *end;
        unsigned long number = strtoul(line, &end, 10);
        if (end == line)
            break;
        out->groups[out->group_count++] = (gid_t)number;
        line = end + strspn(end, " \t");
    }
}

static const char *find_logbook(struct arena *arena, const char *process)
{
    size_t length = 0;
    const char *name = "QSOSYNC_DB=", *environment = read_of(arena, process, "environ", &length);
    for (const char *word = environment; word && word < environment + length;
         word += strlen(word) + 1)
        if (strncmp(word, name, strlen(name)) == 0)
            return word + strlen(name);
    return NULL;
}

/* Also the processes of this very user are closed to it where they are in a name space of users, as
 * those of the shipped units. The system keeps the first 15 bytes of a name. */
static bool know_by_name(struct arena *arena, const char *process, struct worker *worker)
{
    const char *name = read_comm(arena, process);
    for (size_t i = 0; name && i < PROGRAMS; i++)
        if (strncmp(name, program_names[i], NAME_BYTES) == 0) {
            worker->program = (enum worker_program)i;
            worker->is_closed = true;
            return true;
        }
    return false;
}

/* A process may call itself anything: what it is, the file of its program says, which nobody but
 * root or this user can have put there. */
static bool know_by_program(struct arena *arena, const char *process, struct worker *worker)
{
    struct stat program, present;
    char path[PATH_MAX];
    const char *link = arena_print(arena, "/proc/%s/exe", process);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0 && errno == EACCES)
        return know_by_name(arena, process, worker);
    if (length <= 0 || stat(link, &program) != 0 || (program.st_mode & 022) ||
        (program.st_uid != 0 && program.st_uid != geteuid()))
        return false;
    path[length] = '\0';
    char *deleted = strstr(path, DELETED);
    if (deleted && deleted[strlen(DELETED)] == '\0')
        *deleted = '\0';
    const char *slash = strrchr(path, '/');
    for (size_t i = 0; i < PROGRAMS; i++)
        if (slash && strcmp(slash + 1, program_names[i]) == 0) {
            worker->program = (enum worker_program)i;
            worker->path = arena_print(arena, "%s", path);
            worker->is_old = stat(path, &present) == 0 &&
                             (present.st_dev != program.st_dev || present.st_ino != program.st_ino);
            return true;
        }
    return false;
}

/* In a container, whose processes have a name space of their own. */
static bool is_elsewhere(struct arena *arena, const char *process)
{
    struct stat own, other;
    return stat("/proc/self/ns/pid", &own) == 0 &&
           stat(arena_print(arena, "/proc/%s/ns/pid", process), &other) == 0 &&
           own.st_ino != other.st_ino;
}

struct workers {
    struct arena *arena;
    struct worker *first;
};

static bool take_worker(void *context, struct arena *scratch, const char *process)
{
    size_t length;
    struct workers *workers = context;
    struct worker found = {0};
    if (!know_by_program(scratch, process, &found) || is_elsewhere(scratch, process))
        return true;
    struct worker *worker = arena_allocate_zeroed(workers->arena, sizeof *worker);
    const char *status = read_of(workers->arena, process, "status", &length);
    if (!status || !know_by_program(workers->arena, process, worker))
        return true;
    worker->pid = (pid_t)strtol(process, NULL, 10);
    read_ids(workers->arena, status, &worker->runs_as);
    worker->logbook = find_logbook(workers->arena, process);
    worker->next = workers->first;
    workers->first = worker;
    return true;
}

struct worker *processes_find_workers(struct arena *arena)
{
    struct workers workers = {arena, NULL};
    walk(take_worker, &workers);
    return workers.first;
}

/* -- Locks and ports --------------------------------------------------------------------------- */

/* What a process is looked for by: an open file, and of an ordinary one a lock on some byte. */
struct sought {
    struct arena *arena;
    dev_t device; /* 0: a socket, which its number names */
    ino_t inode;
    off_t first, last;
    bool to_write; /* alone */
    struct process found;
};

/* A line such as "lock: 1: OFDLCK ADVISORY WRITE -1 08:01:4711 0 0"; the last word may be EOF. */
static bool holds(const char *lines, const struct sought *sought)
{
    for (const char *line = strstr(lines, "lock:"); line; line = strstr(line + 1, "lock:")) {
        long long begin;
        char kind[8], end[24];
        if (sscanf(line, "lock: %*d: %*s %*s %7s %*d %*s %lld %23s", kind, &begin, end) == 3 &&
            (!sought->to_write || strcmp(kind, "WRITE") == 0) && begin <= sought->last &&
            (strcmp(end, "EOF") == 0 || strtoll(end, NULL, 10) >= sought->first))
            return true;
    }
    return false;
}

static bool has_open(struct arena *arena, const char *process, const struct sought *sought)
{
    DIR *directory = opendir(arena_print(arena, "/proc/%s/fd", process));
    struct dirent *entry;
    bool found = false;
    while (directory && !found && (entry = readdir(directory))) {
        struct stat file;
        size_t length;
        if (!isdigit((unsigned char)*entry->d_name) ||
            stat(arena_print(arena, "/proc/%s/fd/%s", process, entry->d_name), &file) != 0 ||
            file.st_ino != sought->inode ||
            (sought->device ? file.st_dev != sought->device : !S_ISSOCK(file.st_mode)))
            continue;
        const char *lines =
            read_of(arena, process, arena_print(arena, "fdinfo/%s", entry->d_name), &length);
        found = !sought->device || (lines && holds(lines, sought));
    }
    if (directory)
        closedir(directory);
    return found;
}

/* Most locks are held for a moment: it is looked at twice. */
static bool seek(void *context, struct arena *scratch, const char *process)
{
    struct sought *sought = context;
    struct timespec moment = {0, sought->device ? MOMENT_NS : 0};
    if (!has_open(scratch, process, sought))
        return true;
    nanosleep(&moment, NULL);
    const char *name =
        has_open(scratch, process, sought) ? read_comm(sought->arena, process) : NULL;
    if (name)
        sought->found = (struct process){(pid_t)strtol(process, NULL, 10), name};
    return name == NULL;
}

struct process processes_find_lock(struct arena *arena, const char *path, off_t first, off_t last,
                                   bool to_write)
{
    struct stat file;
    struct sought sought = {.arena = arena, .first = first, .last = last, .to_write = to_write};
    if (stat(path, &file) == 0) {
        sought.device = file.st_dev;
        sought.inode = file.st_ino;
        walk(seek, &sought);
    }
    return sought.found;
}

bool processes_find_listener(struct arena *arena, unsigned port, struct process *out)
{
    static const char *const tables[] = {"/proc/net/tcp", "/proc/net/tcp6"};
    struct sought sought = {.arena = arena};
    bool found = false;
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        size_t length;
        unsigned here, state;
        unsigned long inode;
        char *save = NULL, *table = processes_read_file(arena, tables[i], &length);
        for (char *line = table ? strtok_r(table, "\n", &save) : NULL; line && !found;
             line = strtok_r(NULL, "\n", &save)) {
            found = sscanf(line, "%*d: %*[0-9A-F]:%x %*[0-9A-F]:%*x %x %*s %*s %*s %*u %*u %lu",
                           &here, &state, &inode) == 3 &&
                    here == port && state == LISTENS;
            sought.inode = (ino_t)inode;
        }
    }
    if (found)
        walk(seek, &sought);
    *out = sought.found;
    return found;
}

const char *processes_name(struct arena *arena, const struct process *process)
{
    return process->pid ? arena_print(arena, "process %ld (%s)", (long)process->pid, process->name)
                        : "a process that this user may not see";
}
