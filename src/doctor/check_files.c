/* Checks of the logbook's files as the system sees them, without opening the logbook: owners,
 * modes, links, the folder, the disk. Where one of these keeps it closed, what an attempt to open
 * it would say is a consequence, and is left out by check_logbook.c. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "doctor/machine.h"
#include "recovery/restore.h"

#define FREE_BYTES_LEAST (16 << 20)
#define FREE_BYTES_ENOUGH (256 << 20)
#define FREE_FILES_LEAST 16
#define FOLDER_DEPTH_LEAST 3 /* "/var/lib/qsosync"; what is higher up is not ours alone */

/* -- The file and what is beside it ------------------------------------------------------------ */

bool check_files_find(struct examination *seen)
{
    struct access_refusal refusal;
    if (access_find_refusal(seen->doctor->arena, seen->doctor->line, seen->path, false, &refusal)) {
        findings_add(seen->findings, FINDING_PROBLEM, "database", refusal.command,
                     "%s belongs to %s", refusal.refusing, refusal.owner);
        return false;
    }
    if (stat(seen->path, &seen->file) == 0 && S_ISREG(seen->file.st_mode))
        return true;
    if (errno == ENOENT)
        findings_add(seen->findings, FINDING_PROBLEM, "database", examination_fix_for_none(seen),
                     "%s does not exist", seen->path);
    else
        findings_add(seen->findings, FINDING_PROBLEM, "database",
                     "look what it is and who has put it there, and move it to another place",
                     "%s is not a file", seen->path);
    return false;
}

/* What is wrong with the files' owners and modes: one cause, and one line to paste. */
struct wrong_files {
    struct buffer give, allow; /* those to give to the workers, and those with a wrong mode */
    const char *first;
    struct stat first_status;
    int count;
};

static void note_wrong(struct examination *seen, struct wrong_files *wrong, const char *path,
                       const struct stat *file)
{
    const char *quoted = shell_quote(seen->doctor->arena, path);
    struct stat given = *file;
    if (workers_may(&seen->workers.runs_as, file, R_OK | W_OK))
        return;
    if (file->st_uid != seen->workers.runs_as.user)
        buffer_print(&wrong->give, " %s", quoted);
    given.st_uid = seen->workers.runs_as.user;
    if (!workers_may(&seen->workers.runs_as, &given, R_OK | W_OK))
        buffer_print(&wrong->allow, " %s", quoted);
    if (wrong->count++ == 0) {
        wrong->first = path;
        wrong->first_status = *file;
    }
}

/* The owner is changed of what has the name, not of where a link there leads; the mode is changed
 * by the owner, who can change nobody else's. */
static const char *fix_owners(const struct examination *seen, const struct wrong_files *wrong)
{
    struct arena *arena = seen->doctor->arena;
    const char *user = shell_quote(arena, seen->workers.name);
    const char *give = wrong->give.length
                           ? arena_print(arena, "chown %s: --no-dereference%.*s", user,
                                         (int)wrong->give.length, wrong->give.bytes)
                           : "";
    const char *allow = wrong->allow.length
                            ? arena_print(arena, "%schmod u+rw%.*s",
                                          examination_as(seen, seen->workers.runs_as.user),
                                          (int)wrong->allow.length, wrong->allow.bytes)
                            : "";
    return arena_print(arena, "%s%s%s", give, *give && *allow ? " && " : "", allow);
}

static void report_wrong(struct examination *seen, struct wrong_files *wrong)
{
    struct arena *arena = seen->doctor->arena;
    if (wrong->count > 0)
        findings_add(
            seen->findings, FINDING_PROBLEM, "owner", fix_owners(seen, wrong),
            "%s belongs to %s with mode %o, and the workers run as %s, who cannot write to "
            "it%s",
            wrong->first, workers_user_name(arena, wrong->first_status.st_uid),
            wrong->first_status.st_mode & 07777, seen->workers.name,
            wrong->count > 1
                ? arena_print(arena, "; so it is with %d more of its files", wrong->count - 1)
                : "");
    buffer_free(&wrong->give);
    buffer_free(&wrong->allow);
}

/* Never opened: a FIFO would be waited for, a link leads to another's file. */
static bool is_ours(struct examination *seen, const char *path, const struct stat *file)
{
    if (S_ISREG(file->st_mode) && file->st_nlink == 1)
        return true;
    findings_add(seen->findings, FINDING_PROBLEM,
                 strcmp(path + strlen(path) - 5, "-gate") == 0 ? "lock" : "owner",
                 "look what it is and who has put it there, and move it to another place",
                 S_ISREG(file->st_mode) ? "%s has a second name, and may be another's file"
                                        : "%s is not an ordinary file",
                 path);
    return false;
}

static void look_at_modes(struct examination *seen)
{
    if (seen->file.st_mode & 07)
        findings_add(seen->findings, FINDING_WARNING, "modes",
                     arena_print(seen->doctor->arena, "%schmod o= %s",
                                 examination_as(seen, seen->file.st_uid), seen->quoted),
                     "every user of this machine may read %s", seen->path);
}

/* Versions before sessions wrote it for the web server, who looked up passwords in it. */
static void look_for_former_logins(struct examination *seen)
{
    struct stat file;
    const char *path = arena_print(seen->doctor->arena, "%s-logins", seen->path);
    if (lstat(path, &file) == 0)
        findings_add(seen->findings, FINDING_WARNING, "logins", examination_fix_by_init(seen),
                     "%s has passwords for the web server, as a former version wrote them: nothing "
                     "reads them any more",
                     path);
}

bool check_files_owners(struct examination *seen)
{
    static const char *const suffixes[] = {"",         "-wal",        "-shm",
                                           "-journal", "-gate",       "-limits",
                                           "-guesses", "-rejections", "-last-backup"};
    struct wrong_files wrong = {0};
    struct findings *findings = seen->findings;
    int problems = findings->problems;
    enum finding_level before = findings->worst;
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        struct stat file;
        const char *path = arena_print(seen->doctor->arena, "%s%s", seen->path, suffixes[i]);
        if (lstat(path, &file) == 0 && (i == 0 || is_ours(seen, path, &file)))
            note_wrong(seen, &wrong, path, i > 0 ? &file : &seen->file);
    }
    report_wrong(seen, &wrong);
    look_at_modes(seen);
    look_for_former_logins(seen);
    if (findings->worst == before)
        findings_add(findings, FINDING_OK, "owner", NULL, "%s may read and write it",
                     seen->workers.name);
    return findings->problems == problems;
}

/* -- The folder -------------------------------------------------------------------------------- */

static bool is_of_its_own(const char *folder)
{
    int depth = 0;
    for (const char *slash = folder; *slash; slash++)
        depth += *slash == '/';
    return depth >= FOLDER_DEPTH_LEAST;
}

/* Nothing in the folder is for anybody but the workers, nor for the web server. */
static bool is_open_to_others(const struct examination *seen)
{
    return is_of_its_own(seen->folder) && (seen->folder_file.st_mode & 05) &&
           !(seen->folder_file.st_mode & S_ISVTX);
}

static const char *fix_folder(struct examination *seen, const char *quoted)
{
    struct arena *arena = seen->doctor->arena;
    struct stat given = seen->folder_file;
    const char *user = shell_quote(arena, seen->workers.name);
    if (!is_of_its_own(seen->folder) || (given.st_mode & S_ISVTX))
        return arena_print(arena, "give the logbook a folder of its own, which belongs to %s",
                           user);
    given.st_uid = seen->workers.runs_as.user;
    bool may = workers_may(&seen->workers.runs_as, &given, R_OK | W_OK | X_OK);
    bool is_theirs = seen->folder_file.st_uid == given.st_uid;
    const char *give =
        is_theirs ? "" : arena_print(arena, "chown %s: --no-dereference %s", user, quoted);
    const char *allow = may && !is_open_to_others(seen)
                            ? ""
                            : arena_print(arena, "%schmod %s%s %s",
                                          examination_as(seen, given.st_uid), may ? "" : "u+rwx",
                                          !is_open_to_others(seen) ? ""
                                          : may                    ? "o="
                                                                   : ",o=",
                                          quoted);
    return arena_print(arena, "%s%s%s", give, *give && *allow ? " && " : "", allow);
}

bool check_files_folder(struct examination *seen)
{
    struct arena *arena = seen->doctor->arena;
    const char *quoted = shell_quote(arena, seen->folder);
    struct statvfs space;
    if (stat(seen->folder, &seen->folder_file) != 0)
        return true;
    const char *as_owner = examination_as(seen, seen->folder_file.st_uid);
    bool read_only = statvfs(seen->folder, &space) == 0 && (space.f_flag & ST_RDONLY) != 0;
    if (read_only)
        findings_add(
            seen->findings, FINDING_PROBLEM, "folder",
            arena_print(arena, "mount -o remount,rw $(findmnt -n -o TARGET -T %s)", quoted),
            "%s is on a file system that is mounted read-only; journalctl -k says if a disk error "
            "is why",
            seen->folder);
    else if (!workers_may(&seen->workers.runs_as, &seen->folder_file, R_OK | W_OK | X_OK))
        findings_add(seen->findings, FINDING_PROBLEM, "folder", fix_folder(seen, quoted),
                     "%s belongs to %s with mode %o, and the workers, who run as %s, cannot make "
                     "files in it",
                     seen->folder, workers_user_name(arena, seen->folder_file.st_uid),
                     seen->folder_file.st_mode & 07777, seen->workers.name);
    else if ((seen->folder_file.st_mode & 02) && !(seen->folder_file.st_mode & S_ISVTX))
        findings_add(seen->findings, FINDING_WARNING, "folder",
                     arena_print(arena, "%schmod %s %s", as_owner,
                                 is_of_its_own(seen->folder) ? "o=" : "o-w", quoted),
                     "every user of this machine may put files into %s", seen->folder);
    else if (is_open_to_others(seen))
        findings_add(seen->findings, FINDING_WARNING, "folder",
                     arena_print(arena, "%schmod o= %s", as_owner, quoted),
                     "every user of this machine may enter %s (mode %o), which is for %s alone",
                     seen->folder, seen->folder_file.st_mode & 07777, seen->workers.name);
    else
        findings_add(seen->findings, FINDING_OK, "folder", NULL, "%s may make files in %s",
                     seen->workers.name, seen->folder);
    return !read_only &&
           workers_may(&seen->workers.runs_as, &seen->folder_file, R_OK | W_OK | X_OK);
}

/* -- Disk -------------------------------------------------------------------------------------- */

static void add_abandoned(void *context, const char *path)
{
    struct examination *seen = context;
    struct arena *arena = seen->doctor->arena;
    findings_add(seen->findings, FINDING_WARNING, "space",
                 arena_print(arena, "leave it to the next restore, or delete it with %s-*", path),
                 "%s was left by a restore that was killed", path);
}

void check_files_space(struct examination *seen)
{
    struct statvfs space;
    store_list_abandoned_restores(seen->path, seen->doctor->arena, add_abandoned, seen);
    if (statvfs(seen->folder, &space) != 0)
        return;
    int64_t bytes = (int64_t)space.f_bavail * (int64_t)space.f_frsize;
    int64_t enough =
        seen->file.st_size > FREE_BYTES_ENOUGH ? seen->file.st_size : FREE_BYTES_ENOUGH;
    enum finding_level level = bytes < FREE_BYTES_LEAST ? FINDING_PROBLEM
                               : bytes < enough         ? FINDING_WARNING
                                                        : FINDING_OK;
    const char *fix = arena_print(seen->doctor->arena, "df -h %s",
                                  shell_quote(seen->doctor->arena, seen->folder));
    findings_add(seen->findings, level, "space", level == FINDING_OK ? NULL : fix,
                 level == FINDING_OK
                     ? "%lld MB are free where the logbook is, which has %lld MB"
                     : "%lld MB are free where the logbook is, which has %lld MB; free some",
                 (long long)(bytes >> 20), (long long)(seen->file.st_size >> 20));
    if (space.f_files > 0 && space.f_favail < FREE_FILES_LEAST)
        findings_add(seen->findings, FINDING_PROBLEM, "space", fix,
                     "no more files can be made where the logbook is (no free inodes)");
}

void check_files_system(struct examination *seen)
{
    /* from linux/magic.h, and those that it lacks */
    static const struct {
        unsigned long magic;
        const char *name;
    } remote[] = {
        {0x6969, "NFS"},      {0xFF534D42, "CIFS"},   {0xFE534D42, "SMB"}, {0x517B, "SMB"},
        {0x01021997, "9p"},   {0x00C36400, "Ceph"},   {0x5346414F, "AFS"}, {0x73757245, "Coda"},
        {0x65735546, "FUSE"}, {0x786F4256, "vboxsf"},
    };
    struct statfs system;
    if (statfs(seen->folder, &system) != 0)
        return;
    for (size_t i = 0; i < sizeof remote / sizeof *remote; i++)
        if (((unsigned long)system.f_type & 0xFFFFFFFF) == remote[i].magic) {
            findings_add(seen->findings, FINDING_PROBLEM, "file system",
                         "move the logbook to a local disk, and name it in QSOSYNC_DB",
                         "%s is on a %s file system, where processes do not share memory and locks "
                         "as the write-ahead log needs",
                         seen->folder, remote[i].name);
            return;
        }
    findings_add(seen->findings, FINDING_OK, "file system", NULL, "it is local");
}
