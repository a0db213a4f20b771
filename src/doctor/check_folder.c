/* Checks the logbook's folder: its owner, its mode, and whether the workers can write to it. */
#include <fnmatch.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "doctor/checks.h"
#include "doctor/findings.h"
#include "doctor/owners.h"
#include "doctor/units.h"

/* a folder such as /var/lib/qsosync; the folders above can have other purposes */
#define OWN_FOLDER "*/*/*/*"

/* Returns the command that restarts the workers, if they serve this logbook. Workers that systemd
 * started while the folder was read-only cannot write to the folder until they restart. */
static const char *fix_for_workers(struct examination *seen)
{
    return units_use_logbook(units_read(seen->arena, "qsosync.service"), seen->path)
               ? " && systemctl restart qsosync.service qsosync-site.service"
               : "";
}

/* Checks the folder. Only the workers need access to the folder; even the web server does not. */
bool folder_check(struct examination *seen)
{
    const char *quoted = print(seen, " %s", quote(seen, seen->folder)), *fix;
    struct statvfs space;
    struct stat folder;
    if (stat(seen->folder, &folder) != 0)
        return true;
    const bool is_own = fnmatch(OWN_FOLDER, seen->folder, 0) == 0;
    const bool is_shared = (folder.st_mode & S_ISVTX) != 0;
    if (statvfs(seen->folder, &space) == 0 && (space.f_flag & ST_RDONLY))
        return found_with(seen, FOLDER_READ_ONLY,
                          print(seen, FOLDER_READ_ONLY_FIX, quoted, fix_for_workers(seen)),
                          seen->folder);
    if (!users_may(&seen->workers, &folder, R_OK | W_OK | X_OK)) {
        if (is_own && !is_shared)
            fix = owners_fix(seen, folder.st_uid == seen->workers.id ? "" : quoted,
                             "u+rwx,o=", quoted);
        else
            fix = print(seen, FOLDER_CLOSED_FIX, quote(seen, seen->workers.name));
        return found_with(seen, FOLDER_CLOSED, fix, seen->folder,
                          users_name(seen->arena, folder.st_uid), folder.st_mode & 07777,
                          seen->workers.name);
    }
    fix = print(seen, "%schmod %s%s", examination_as(seen, folder.st_uid), is_own ? "o=" : "o-w",
                quoted);
    if (!is_shared && (folder.st_mode & (is_own ? 07 : 02)))
        found_with(seen, FOLDER_OPEN, fix, seen->folder, folder.st_mode & 07777,
                   seen->workers.name);
    else
        found(seen, FOLDER_RIGHT, seen->workers.name, seen->folder);
    return true;
}
