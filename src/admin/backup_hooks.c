/* Runs the operator's programs that copy a new backup elsewhere. */
#include "admin/backup_hooks.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "admin/command.h"
#include "base/folder.h"
#include "base/shell.h"

#define FOLDER "/etc/qsosync/backup.d"
#define VARIABLE "QSOSYNC_BACKUP_HOOKS"
#define NOT_DONE 124 /* exit status of timeout(1) when the time is up */

/* Runs a program. After an hour, timeout(1) ends the program, with all processes that the program
 * has started. Returns a description of the failure, or NULL. */
static const char *run(const char *program, const char *name, const char *path, struct arena *arena)
{
    const int status = system(arena_print(arena, "exec timeout -k 10 3600 %s %s < /dev/null",
                                          shell_quote(arena, program), shell_quote(arena, path)));
    if (status < 0)
        return arena_print(arena, "%s: %s", name, strerror(errno));
    if (WIFSIGNALED(status))
        return arena_print(arena, "%s: killed by signal %d", name, WTERMSIG(status));
    if (WEXITSTATUS(status) == NOT_DONE)
        return arena_print(arena, "%s: not finished after an hour", name);
    return WEXITSTATUS(status) == 0 ? NULL
                                    : arena_print(arena, "%s: exit %d", name, WEXITSTATUS(status));
}

int backup_hooks_run(const char *path, struct arena *arena, const char **failure)
{
    const char *named = getenv(VARIABLE);
    const char *folder = named && *named ? named : FOLDER;
    int programs = 0;
    *failure = NULL;
    for (const char **name = folder_list(folder, arena); *name; name++) {
        const char *program = arena_print(arena, "%s/%s", folder, *name);
        if (fnmatch("*[!A-Za-z0-9_-]*", *name, 0) == 0 || access(program, X_OK) != 0)
            continue;
        const char *fault = run(program, *name, path, arena);
        programs++;
        *failure = *failure ? *failure : fault;
    }
    return programs;
}
