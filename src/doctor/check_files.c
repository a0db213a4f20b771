/* Checks the logbook's files without opening the logbook: owners, modes, links, the folder, the
 * disk. Files that the folder's owner may have put in root's way are neither opened nor waited for.
 * Commands that change a file run as its owner. */
#include <errno.h>
#include <fnmatch.h>
#include <string.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/access.h"
#include "base/folder.h"
#include "doctor/checks.h"
#include "installation.h"

#define FREE_BYTES_LEAST (16 << 20)
#define FREE_BYTES_ENOUGH (256 << 20)
#define OWN_FOLDER "*/*/*/*" /* "/var/lib/qsosync"; higher folders are not ours alone */

/* -- The file and the files next to it --------------------------------------------------------- */

static bool report_strange(struct examination *seen, const char *check, const char *path)
{
    return trouble(seen, check, "find out what it is and who created it, then move it away",
                   "%s is not a regular file, or has a hard link and may belong to another program",
                   path);
}

/* With an empty logbook no existing key would work; only people know whether there was a logbook
 * before, or where it is now. */
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
                       "find where the logbook is now, because a backup of it exists - if it is "
                       "lost: %s",
                       restore)
               : print(
                     seen,
                     "if there never was a logbook, create it: %s - otherwise find where it is now",
                     workers_command(seen, "init"));
}

static bool find_file(struct examination *seen)
{
    const char *fix,
        *refusal = access_find_refusal(seen->arena, seen->doctor->line, seen->path, false, &fix);
    if (refusal)
        return found_with(seen, DATABASE_CLOSED, fix, refusal);
    if (stat(seen->path, &seen->file) == 0)
        return S_ISREG(seen->file.st_mode) || report_strange(seen, "database", seen->path);
    const bool is_gone = errno == ENOENT;
    const char *what = is_gone ? "it does not exist" : strerror(errno);
    fix = is_gone ? fix_for_none(seen, &what) : DATABASE_MISSING_FIX;
    return found_with(seen, DATABASE_MISSING, fix, seen->path, what);
}

/* Changes the owner of the name itself, never of a link's target; the mode is changed
 * by the owner, who can change nobody else's. Each list begins with a blank. */
static const char *fix_owners(struct examination *seen, const char *give, const char *mode,
                              const char *allow)
{
    if (*give)
        give = print(seen, "chown %s: --no-dereference%s%s", quote(seen, seen->workers.name), give,
                     *allow ? " && " : "");
    if (*allow)
        allow = print(seen, "%schmod %s%s", examination_as(seen, seen->workers.id), mode, allow);
    return print(seen, "%s%s", give, allow);
}

/* Checks the files' owners and modes: one cause, and one line to paste. */
static bool check_owners(struct examination *seen)
{
    static const char *const suffixes[] = {
        "",
#define ROW(suffix, what) suffix,
#include "schema/companion_files.inc"
#undef ROW
    };
    const char *give = "", *allow = "", *first = NULL; /* fault of the first such file */
    int count = 0, problems = seen->doctor->problems;
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        const char *path = print(seen, "%s%s", seen->path, suffixes[i]);
        struct stat file, given;
        if (lstat(path, &file) != 0)
            continue;
        /* Never opened: a FIFO would be waited for, a link leads to another's file. */
        if (i > 0 && (!S_ISREG(file.st_mode) || file.st_nlink != 1)) {
            report_strange(seen, strcmp(suffixes[i], "-gate") == 0 ? "lock" : "owner", path);
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
        count > 1 ? print(seen, "; the same applies to %d more of its files", count - 1) : "";
    if (count > 0)
        found_with(seen, OWNER_WRONG, fix_owners(seen, give, "u+rw", allow), first,
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

/* -- The folder -------------------------------------------------------------------------------- */

/* Workers that systemd started while the folder could not be written to keep it so. */
static const char *fix_for_workers(struct examination *seen)
{
    return units_use_logbook(units_read(seen->arena, "qsosync.service"), seen->path)
               ? " && systemctl restart qsosync.service qsosync-site.service"
               : "";
}

/* Nothing in the folder is for anybody but the workers, nor for the web server. */
static bool check_folder(struct examination *seen)
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
            fix = fix_owners(seen, folder.st_uid == seen->workers.id ? "" : quoted,
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

/* -- Disk -------------------------------------------------------------------------------------- */

static void look_at_space(struct examination *seen)
{
    struct statvfs space;
    if (statvfs(seen->folder, &space) != 0)
        return;
    int64_t bytes = (int64_t)space.f_bavail * (int64_t)space.f_frsize, size = seen->file.st_size;
    const bool is_enough = bytes >= size && bytes >= FREE_BYTES_ENOUGH;
    const enum finding_level level = is_enough                  ? FINDING_OK
                                     : bytes < FREE_BYTES_LEAST ? FINDING_PROBLEM
                                                                : FINDING_WARNING;
    found_at(seen, level, SPACE_FREE, print(seen, SPACE_FREE_FIX, quote(seen, seen->folder)),
             (long long)(bytes >> 20), (long long)(size >> 20),
             is_enough ? "" : "; free some space");
}

/* Names of network file systems, by the numbers of linux/magic.h and some that it lacks; NULL: the
 * file system is local. */
static const char *find_remote(const char *folder)
{
    static const struct {
        unsigned long magic;
        const char *name;
    } remote[] = {
        {0x6969, "NFS"},    {0xFF534D42, "CIFS"}, {0xFE534D42, "SMB"},  {0x517B, "SMB"},
        {0x01021997, "9p"}, {0x00C36400, "Ceph"}, {0x65735546, "FUSE"}, {0x786F4256, "vboxsf"},
    };
    struct statfs system;
    bool is_known = statfs(folder, &system) == 0;
    for (size_t i = 0; is_known && i < sizeof remote / sizeof *remote; i++)
        if (((unsigned long)system.f_type & 0xFFFFFFFF) == remote[i].magic)
            return remote[i].name;
    return NULL;
}

void files_check_disk(struct examination *seen)
{
    const char *remote = find_remote(seen->folder);
    look_at_space(seen);
    if (remote)
        found(seen, FILE_SYSTEM_REMOTE, seen->folder, remote);
    else
        found(seen, FILE_SYSTEM_LOCAL);
}

bool files_check(struct examination *seen)
{
    if (!find_file(seen))
        return false;
    bool usable = check_owners(seen);
    usable = check_folder(seen) && usable;
    files_check_disk(seen);
    return usable;
}
