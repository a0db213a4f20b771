/* Reads /proc; see proc(5). */
#include "admin/workers.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PROGRAM "qsosync.fcgi"
#define FILE_BYTES_MAX 65536

/* The whole file, NUL-terminated, in the arena; NULL: not to be read. */
static char *read_file(struct arena *arena, const char *path, size_t *length)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return NULL;
    char *text = arena_allocate(arena, FILE_BYTES_MAX + 1);
    ssize_t got;
    *length = 0;
    while (*length < FILE_BYTES_MAX &&
           (got = read(file, text + *length, FILE_BYTES_MAX - *length)) > 0)
        *length += (size_t)got;
    close(file);
    text[*length] = '\0';
    return text;
}

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
        read_file(arena, arena_print(arena, "/proc/%s/environ", process), &length);
    for (const char *word = environment; word && word < environment + length;
         word += strlen(word) + 1)
        if (strncmp(word, name, strlen(name)) == 0)
            return word + strlen(name);
    return NULL;
}

static struct worker *read_process(struct arena *arena, const char *process)
{
    size_t length;
    const char *program = read_file(arena, arena_print(arena, "/proc/%s/comm", process), &length);
    if (!program || strcmp(program, PROGRAM "\n") != 0)
        return NULL;
    const char *status = read_file(arena, arena_print(arena, "/proc/%s/status", process), &length);
    if (!status)
        return NULL;
    struct worker *worker = arena_allocate_zeroed(arena, sizeof *worker);
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
