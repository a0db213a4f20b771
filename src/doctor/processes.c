/* Finds the running workers and other processes in /proc (proc(5)). Some data about other users'
 * processes is not visible; the checks interpret missing data. */
#include "doctor/processes.h"

#include <errno.h>
#include <limits.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/text_search.h"
#include "doctor/file_text.h"

#define NAME_BYTES 15        /* maximum bytes of a process's name in /proc */
#define DELETED " (deleted)" /* suffix of a path in /proc if its file was replaced or deleted */

/* The workers' programs, in the order of enum worker_program. */
static const char *const program_names[] = {"qsosync.fcgi", "qsosync-site.fcgi"};
#define PROGRAMS (sizeof program_names / sizeof *program_names)

const char *processes_name(struct arena *arena, pid_t process)
{
    char *name = file_text_read(arena, arena_print(arena, "/proc/%ld/comm", (long)process), NULL);
    if (name)
        name[strcspn(name, "\n")] = '\0';
    return name;
}

static const char *find_logbook(struct arena *arena, const char *process)
{
    size_t length = 0;
    const char *name = "QSOSYNC_DB=", *path = arena_print(arena, "/proc/%s/environ", process);
    const char *environment = file_text_read(arena, path, &length);
    for (const char *word = environment; word && word < environment + length;
         word += strlen(word) + 1)
        if (strncmp(word, name, strlen(name)) == 0)
            return word + strlen(name);
    return NULL;
}

/* Recognises a worker by its program's file. For processes in a user namespace, such as those of
 * the shipped units, the file is hidden even from the same user. Such processes are recognised by
 * their name, which the system cuts to 15 bytes. */
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

/* Returns whether the process runs directly on this machine. A process in a container has another
 * PID namespace. */
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
            file_text_read(arena, arena_print(arena, "/proc/%s/status", *process), NULL);
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

/* Looks for a listening socket. Listening sockets are first in these files (proc(5)), so the
 * beginning of a file is enough. */
bool processes_is_port_open(struct arena *arena, unsigned port)
{
    static const char *const files[] = {"/proc/net/tcp", "/proc/net/tcp6"};
    const char *pattern = arena_print(arena, "^ *[0-9]+: [0-9A-F]+:%04X [0-9A-F]+:0000 0A ", port);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const char *text = file_text_read(arena, files[i], NULL);
        if (text && text_search(text, pattern, REG_NEWLINE, 0, NULL))
            return true;
    }
    return false;
}
