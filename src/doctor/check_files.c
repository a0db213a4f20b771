/* Finds the logbook's file and runs the checks that do not open it. The checks never wait for a
 * file that the folder's owner may have planted, such as a FIFO. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/access.h"
#include "base/folder.h"
#include "doctor/checks.h"
#include "doctor/findings.h"
#include "doctor/owners.h"
#include "doctor/workers.h"
#include "installation.h"

/* Returns the fix for a missing logbook. Creating a logbook is risky: existing keys do not work
 * with an empty logbook, and only people know whether there was a logbook before. */
static const char *fix_for_none(struct examination *seen, const char **what)
{
    const char *restore, *other = workers_find_other(seen, false);
    if (!other && !folder_is_same(QSOSYNC_DEFAULT_DB, seen->path))
        other = QSOSYNC_DEFAULT_DB;
    if (other && access(other, F_OK) == 0)
        return examination_fix_for_other(seen, other);
    restore = examination_restore(seen, what);
    return restore
               ? print(seen,
                       "find out where the logbook is now, because a backup of it exists - if the "
                       "logbook is lost: %s",
                       restore)
               : print(seen,
                       "if there was never a logbook, create one: %s - otherwise find out where it "
                       "is",
                       workers_command(seen, "init"));
}

static bool find_file(struct examination *seen)
{
    const char *fix,
        *refusal = access_find_refusal(seen->arena, seen->doctor->line, seen->path, false, &fix);
    if (refusal)
        return found_with(seen, DATABASE_CLOSED, fix, refusal);
    if (stat(seen->path, &seen->file) == 0)
        return S_ISREG(seen->file.st_mode) || owners_report_strange(seen, "database", seen->path);
    const bool is_gone = errno == ENOENT;
    const char *what = is_gone ? "it does not exist" : strerror(errno);
    fix = is_gone ? fix_for_none(seen, &what) : DATABASE_MISSING_FIX;
    return found_with(seen, DATABASE_MISSING, fix, seen->path, what);
}

bool files_check(struct examination *seen)
{
    if (!find_file(seen))
        return false;
    bool usable = owners_check(seen);
    usable = folder_check(seen) && usable;
    disk_check(seen);
    return usable;
}
