/* Checks whether the programs of this command and of the workers are from a release. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/folder.h"
#include "doctor/file_text.h"
#include "doctor/findings.h"
#include "doctor/worker_checks.h"
#include "doctor/workers.h"
#include "installation.h"

#define PROGRAM_LIST "programs.sha256"

/* Returns whether the list contains the checksum of this file, under any name. A file that cannot
 * be read counts as listed, to avoid a false alarm. */
static bool is_listed(struct examination *seen, const char *list, const char *path)
{
    return access(path, R_OK) != 0 ||
           system(print(seen, "sha256sum < %s | cut -c 1-64 | grep -qF -f - %s", quote(seen, path),
                        quote(seen, list))) == 0;
}

/* Checks the programs. If this user cannot see a worker's program, the installed program is checked
 * instead. In the archive of portable programs, the list is next to this program; otherwise it is
 * among the package's shared files. Programs built on this machine have no list. A list is only as
 * trustworthy as its source: qsosync-security(7) describes how to check a release. */
void programs_check(struct examination *seen)
{
    char *real = realpath("/proc/self/exe", NULL);
    const char *own = print(seen, "%s", real ? real : "");
    free(real);
    const char *path = print(seen, "%s" PROGRAM_LIST, folder_of(own, seen->arena));
    if (access(path, F_OK) != 0)
        path = QSOSYNC_SHARED_FILES "/" PROGRAM_LIST;
    const char *list = file_text_read(seen->arena, path, NULL);
    if (!list) {
        found(seen, PROGRAMS_BUILT_HERE);
        return;
    }
    const char *other = is_listed(seen, path, own) ? NULL : own;
    for (struct worker *worker = seen->running; worker && !other; worker = worker->next) {
        const char *program = worker->path ? worker->path : worker_kinds[worker->program].program;
        if (!worker->is_old && workers_are_ours(seen, worker) && !is_listed(seen, path, program))
            other = program;
    }
    int title = strncmp(list, "# ", 2) == 0 ? (int)strcspn(list + 2, "\n") : 0;
    if (other)
        found(seen, PROGRAMS_CHANGED, other, title, list + 2, path);
    else
        found(seen, PROGRAMS_LISTED, title, list + 2, path);
}
