/* Finds in /proc (proc(5)) the workers that run on this machine, and the process that keeps a byte
 * of a file locked, and judges what a user may do with a file. A worker is known by its program's
 * file. Another user's processes show less; what that means for a check is left to it. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <grp.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "doctor/machine.h"

#define NAME_BYTES 15        /* of a process, in /proc */
#define DELETED " (deleted)" /* what /proc adds where the file has been replaced */

/* In the order of enum worker_program. */
static const char *const program_names[] = {"qsosync.fcgi", "qsosync-site.fcgi"};

/* The numbers of a line such as "Groups:\t4 24 27". */
static const char *find_line(const char *status, const char *name)
{
    const char *line = strstr(status, name);
    return line ? line + strlen(name) : "";
}

static void read_ids(const char *status, struct worker_user *out)
{
    unsigned user = 0, group = 0;
    sscanf(find_line(status, "\nUid:"), "%*u %u", &user);
    sscanf(find_line(status, "\nGid:"), "%*u %u", &group);
    out->user = user;
    out->groups[0] = group;
    out->group_count = 1;
    const char *line = find_line(status, "\nGroups:");
    while (*line && *line != '\n' && out->group_count < WORKER_GROUPS_MAX) {
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
    const char *name = "QSOSYNC_DB=";
    const char *environment =
        file_text_read(arena, arena_print(arena, "/proc/%s/environ", process), &length);
    for (const char *word = environment; word && word < environment + length;
         word += strlen(word) + 1)
        if (strncmp(word, name, strlen(name)) == 0)
            return word + strlen(name);
    return NULL;
}

/* Also the processes of this very user are closed to it where they are in a name space of users, as
 * those of the shipped units. The system keeps the first 15 bytes of a name. */
static bool read_name(struct arena *arena, const char *process, struct worker *worker)
{
    size_t length;
    char *name = file_text_read(arena, arena_print(arena, "/proc/%s/comm", process), &length);
    if (!name)
        return false;
    name[strcspn(name, "\n")] = '\0';
    for (size_t i = 0; i < sizeof program_names / sizeof *program_names; i++)
        if (strncmp(name, program_names[i], NAME_BYTES) == 0) {
            worker->program = (enum worker_program)i;
            worker->is_closed = true;
            return true;
        }
    return false;
}

/* A process may call itself anything: what it is, the file of its program says, which nobody but
 * root or this user can have put there. */
static bool read_program(struct arena *arena, const char *process, struct worker *worker)
{
    struct stat program, present;
    char path[PATH_MAX];
    const char *link = arena_print(arena, "/proc/%s/exe", process);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0 && errno == EACCES)
        return read_name(arena, process, worker);
    if (length <= 0 || stat(link, &program) != 0 || (program.st_mode & 022) ||
        (program.st_uid != 0 && program.st_uid != geteuid()))
        return false;
    path[length] = '\0';
    char *deleted = strstr(path, DELETED);
    if (deleted && deleted[strlen(DELETED)] == '\0')
        *deleted = '\0';
    const char *slash = strrchr(path, '/');
    for (size_t i = 0; i < sizeof program_names / sizeof *program_names; i++)
        if (slash && strcmp(slash + 1, program_names[i]) == 0) {
            worker->program = (enum worker_program)i;
            worker->path = arena_print(arena, "%s", path);
            worker->is_old = stat(path, &present) == 0 &&
                             (present.st_dev != program.st_dev || present.st_ino != program.st_ino);
            return true;
        }
    return false;
}

static struct worker *read_process(struct arena *arena, const char *process)
{
    size_t length;
    struct worker *worker = arena_allocate_zeroed(arena, sizeof *worker);
    if (!read_program(arena, process, worker))
        return NULL;
    const char *status =
        file_text_read(arena, arena_print(arena, "/proc/%s/status", process), &length);
    if (!status)
        return NULL;
    worker->pid = (pid_t)strtol(process, NULL, 10);
    read_ids(status, &worker->runs_as);
    worker->logbook = find_logbook(arena, process);
    return worker;
}

struct worker *workers_find(struct arena *arena)
{
    struct worker *first = NULL;
    DIR *directory = opendir("/proc");
    struct dirent *entry;
    while (directory && (entry = readdir(directory))) {
        if (!isdigit((unsigned char)entry->d_name[0]))
            continue;
        struct arena scratch = {0};
        struct worker *worker = read_process(&scratch, entry->d_name);
        if (worker) {
            worker = read_process(arena, entry->d_name);
            if (worker) {
                worker->next = first;
                first = worker;
            }
        }
        arena_free(&scratch);
    }
    if (directory)
        closedir(directory);
    return first;
}

bool workers_look_up_user(const char *name, struct worker_user *out)
{
    const struct passwd *user = getpwnam(name);
    if (!user)
        return false;
    out->user = user->pw_uid;
    out->group_count = WORKER_GROUPS_MAX;
    if (getgrouplist(name, user->pw_gid, out->groups, &out->group_count) < 0)
        out->group_count = WORKER_GROUPS_MAX;
    return true;
}

bool workers_may(const struct worker_user *user, const struct stat *file, mode_t bits)
{
    if (user->user == 0)
        return true;
    if (user->user == file->st_uid)
        return (file->st_mode >> 6 & bits) == bits;
    for (int i = 0; i < user->group_count; i++)
        if (user->groups[i] == file->st_gid)
            return (file->st_mode >> 3 & bits) == bits;
    return (file->st_mode & bits) == bits;
}

const char *workers_user_name(struct arena *arena, uid_t user)
{
    const struct passwd *found = getpwuid(user);
    return found ? arena_print(arena, "%s", found->pw_name)
                 : arena_print(arena, "%lu", (unsigned long)user);
}

#define MOMENT_NS 150000000

/* A line such as "lock: 1: OFDLCK ADVISORY WRITE -1 08:01:4711 0 0"; the last word may be EOF. */
static bool holds(const char *lines, off_t first, off_t last)
{
    for (const char *line = strstr(lines, "lock:"); line; line = strstr(line + 1, "lock:")) {
        long long begin;
        char end[24];
        if (sscanf(line, "lock: %*d: %*s %*s %*s %*d %*s %lld %23s", &begin, end) == 2 &&
            begin <= last && (strcmp(end, "EOF") == 0 || strtoll(end, NULL, 10) >= first))
            return true;
    }
    return false;
}

static bool process_holds(struct arena *arena, const char *process, const struct stat *file,
                          off_t first, off_t last)
{
    DIR *directory = opendir(arena_print(arena, "/proc/%s/fd", process));
    struct dirent *entry;
    bool found = false;
    while (directory && !found && (entry = readdir(directory))) {
        struct stat status;
        size_t length;
        const char *name = entry->d_name;
        if (!isdigit((unsigned char)*name) ||
            stat(arena_print(arena, "/proc/%s/fd/%s", process, name), &status) != 0 ||
            status.st_dev != file->st_dev || status.st_ino != file->st_ino)
            continue;
        const char *lines =
            file_text_read(arena, arena_print(arena, "/proc/%s/fdinfo/%s", process, name), &length);
        found = lines && holds(lines, first, last);
    }
    if (directory)
        closedir(directory);
    return found;
}

struct holder holders_find(struct arena *arena, const char *path, off_t first, off_t last)
{
    struct holder holder = {0, NULL};
    struct timespec moment = {0, MOMENT_NS};
    struct stat file;
    struct dirent *entry;
    if (stat(path, &file) != 0)
        return holder;
    DIR *directory = opendir("/proc");
    while (directory && !holder.pid && (entry = readdir(directory))) {
        struct arena scratch = {0};
        size_t length;
        const char *name = entry->d_name;
        if (isdigit((unsigned char)*name) && process_holds(&scratch, name, &file, first, last)) {
            nanosleep(&moment, NULL);
            char *comm =
                process_holds(&scratch, name, &file, first, last)
                    ? file_text_read(arena, arena_print(arena, "/proc/%s/comm", name), &length)
                    : NULL;
            if (comm) {
                comm[strcspn(comm, "\n")] = '\0';
                holder = (struct holder){(pid_t)strtol(name, NULL, 10), comm};
            }
        }
        arena_free(&scratch);
    }
    if (directory)
        closedir(directory);
    return holder;
}
