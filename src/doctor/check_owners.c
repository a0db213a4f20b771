/* Checks the owners and modes of the logbook's files. The suggested commands run as the owner of
 * the files, where possible. */
#include "doctor/owners.h"

#include <string.h>
#include <unistd.h>

#include "doctor/findings.h"

bool owners_report_strange(struct examination *seen, const char *check, const char *path)
{
    return trouble(seen, check, "find out what it is and who created it, then move it away",
                   "%s is not a regular file, or has a hard link and may belong to another program",
                   path);
}

/* Returns the command that corrects owners and modes. chown changes only the named file, never a
 * link's target. chmod runs as the owner, who cannot change other users' files. */
const char *owners_fix(struct examination *seen, const char *give, const char *mode,
                       const char *allow)
{
    if (*give)
        give = print(seen, "chown %s: --no-dereference%s%s", quote(seen, seen->workers.name), give,
                     *allow ? " && " : "");
    if (*allow)
        allow = print(seen, "%schmod %s%s", examination_as(seen, seen->workers.id), mode, allow);
    return print(seen, "%s%s", give, allow);
}

/* Checks the files. All files with a wrong owner or mode become one finding, with one command. */
bool owners_check(struct examination *seen)
{
    static const char *const suffixes[] = {
        "",
#define ROW(suffix, what) suffix,
#include "schema/companion_files.inc"
#undef ROW
    };
    const char *give = "", *allow = "", *first = NULL; /* description of the first wrong file */
    int count = 0, problems = seen->doctor->problems;
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        const char *path = print(seen, "%s%s", seen->path, suffixes[i]);
        struct stat file, given;
        if (lstat(path, &file) != 0)
            continue;
        /* The file is not opened: a FIFO would block, and a link can name another user's file. */
        if (i > 0 && (!S_ISREG(file.st_mode) || file.st_nlink != 1)) {
            owners_report_strange(seen, strcmp(suffixes[i], "-gate") == 0 ? "lock" : "owner", path);
            continue;
        }
        given = file = i > 0 ? file : seen->file;
        given.st_uid = seen->workers.id;
        if (users_may(&seen->workers, &file, R_OK | W_OK))
            continue;
        if (file.st_uid != seen->workers.id)
            give = print(seen, "%s %s", give, quote(seen, path));
        if (!users_may(&seen->workers, &given, R_OK | W_OK))
            allow = print(seen, "%s %s", allow, quote(seen, path));
        if (count++ == 0)
            first = print(seen, "%s belongs to %s with mode %o", path,
                          users_name(seen->arena, file.st_uid), file.st_mode & 07777);
    }
    const char *more =
        count > 1 ? print(seen, "; the same applies to other files of the logbook: %d", count - 1)
                  : "";
    if (count > 0)
        found_with(seen, OWNER_WRONG, owners_fix(seen, give, "u+rw", allow), first,
                   seen->workers.name, more);
    if (seen->file.st_mode & 07)
        found_with(
            seen, MODES_OPEN,
            print(seen, MODES_OPEN_FIX, examination_as(seen, seen->file.st_uid), seen->quoted),
            seen->path);
    else if (seen->doctor->problems == problems)
        found(seen, OWNER_RIGHT, seen->workers.name);
    return seen->doctor->problems == problems;
}
