/* Hands a new backup to programs of the operator's, which are run one after the other. What they do
 * with it is theirs. Which backup it is, and the note that one of them has failed, is left to the
 * command. */
#include "admin/backup_hooks.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

#define FOLDER "/etc/qsosync/backup.d"
#define VARIABLE "QSOSYNC_BACKUP_HOOKS"
#define HOUR_MS 3600000  /* what a program may take */
#define LOOK_NS 20000000 /* how often it is looked whether a program has ended */

static int is_program(const struct dirent *entry)
{
    for (const char *at = entry->d_name; *at; at++)
        if (!isalnum((unsigned char)*at) && *at != '_' && *at != '-')
            return 0;
    return 1;
}

static pid_t start(const char *program, const char *path)
{
    pid_t pid = fork();
    if (pid != 0)
        return pid;
    setpgid(0, 0);
    int nothing = open("/dev/null", O_RDONLY);
    if (nothing >= 0)
        dup2(nothing, STDIN_FILENO);
    execl(program, program, path, (char *)NULL);
    _exit(127);
}

/* As wait(2) tells it; -1 after a program that was killed because it has not ended. */
static int wait_for(pid_t pid)
{
    const struct timespec pause = {.tv_nsec = LOOK_NS};
    const int64_t end_ms = clock_monotonic_ms() + HOUR_MS;
    int status = 0;
    pid_t ended = 0;
    while ((ended = waitpid(pid, &status, WNOHANG)) == 0 && clock_monotonic_ms() < end_ms)
        nanosleep(&pause, NULL);
    if (ended == pid)
        return status;
    kill(-pid, SIGKILL);
    waitpid(pid, &status, 0);
    return -1;
}

/* NULL: it has done its work. */
static const char *run(const char *program, const char *name, const char *path, struct arena *arena)
{
    pid_t pid = start(program, path);
    if (pid < 0)
        return arena_print(arena, "%s: %s", name, strerror(errno));
    int status = wait_for(pid);
    if (status == -1)
        return arena_print(arena, "%s: not done after an hour", name);
    if (WIFSIGNALED(status))
        return arena_print(arena, "%s: killed by signal %d", name, WTERMSIG(status));
    return WEXITSTATUS(status) == 0 ? NULL
                                    : arena_print(arena, "%s: exit %d", name, WEXITSTATUS(status));
}

int backup_hooks_run(const char *path, struct arena *arena, const char **failure)
{
    const char *named = getenv(VARIABLE);
    const char *folder = named && *named ? named : FOLDER;
    struct dirent **names;
    int count = scandir(folder, &names, is_program, alphasort), programs = 0;
    *failure = NULL;
    for (int i = 0; i < count; i++) {
        const char *program = arena_print(arena, "%s/%s", folder, names[i]->d_name);
        if (access(program, X_OK) == 0) {
            const char *fault = run(program, names[i]->d_name, path, arena);
            programs++;
            *failure = *failure ? *failure : fault;
        }
        free(names[i]);
    }
    if (count >= 0)
        free(names);
    return programs;
}
