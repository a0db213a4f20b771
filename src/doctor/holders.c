/* Finds the process that has locked a byte of a file, by the lines "lock:" of /proc/PID/fdinfo
 * (proc(5)). It is looked at twice, because most locks are held for a moment. What to do about it
 * is left to check_workers.c. */
#include "doctor/holders.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "doctor/file_text.h"

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
