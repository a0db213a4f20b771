/* Checks of the logbook's files as the system sees them, without opening the logbook: owners,
 * modes, links, the folder, the disk. What the owner of the folder may have put in root's way is
 * neither opened nor waited for, and commands that change a file run as its owner. */
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "doctor/machine.h"

#define FREE_BYTES_LEAST (16 << 20)
#define FREE_BYTES_ENOUGH (256 << 20)
#define FREE_FILES_LEAST 16
#define FOLDER_DEPTH_LEAST 3 /* "/var/lib/qsosync"; what is higher up is not ours alone */

/* -- The file and what is beside it ------------------------------------------------------------ */

static bool report_strange(struct examination *seen, const char *check, const char *path)
{
    return findings_trouble(
        seen->doctor, check,
        "look what it is and who has put it there, and move it to another place",
        "%s is not an ordinary file, or has a second name and may be another's file", path);
}

static bool find_file(struct examination *seen)
{
    struct access_refusal refusal;
    if (access_find_refusal(seen->arena, seen->doctor->line, seen->path, false, &refusal))
        return findings_trouble(seen->doctor, "database", refusal.command, "%s belongs to %s",
                                refusal.refusing, refusal.owner);
    if (stat(seen->path, &seen->file) == 0)
        return S_ISREG(seen->file.st_mode) || report_strange(seen, "database", seen->path);
    return findings_trouble(
        seen->doctor, "database",
        errno == ENOENT ? examination_fix_for_none(seen) : "journalctl -k -n 30", "%s: %s",
        seen->path, errno == ENOENT ? "it does not exist" : strerror(errno));
}

/* The owner is changed of what has the name, not of where a link there leads; the mode is changed
 * by the owner, who can change nobody else's. Each list begins with a blank. */
static const char *fix_owners(const struct examination *seen, const char *give, const char *mode,
                              const char *allow)
{
    struct arena *arena = seen->arena;
    if (*give)
        give = arena_print(arena, "chown %s: --no-dereference%s%s",
                           shell_quote(arena, seen->workers.name), give, *allow ? " && " : "");
    if (*allow)
        allow =
            arena_print(arena, "%schmod %s%s", examination_as(seen, seen->workers.id), mode, allow);
    return arena_print(arena, "%s%s", give, allow);
}

/* What is wrong with the files' owners and modes: one cause, and one line to paste. */
struct wrong_files {
    const char *give, *allow; /* those to give to the workers, and those with a wrong mode */
    const char *first;        /* what is wrong with one of them */
    int more;
};

static void note_wrong(struct examination *seen, struct wrong_files *wrong, const char *path,
                       const struct stat *file)
{
    struct arena *arena = seen->arena;
    struct stat given = *file;
    const char *quoted = shell_quote(arena, path);
    if (users_may(&seen->workers, file, R_OK | W_OK))
        return;
    if (file->st_uid != seen->workers.id)
        wrong->give = arena_print(arena, "%s %s", wrong->give, quoted);
    given.st_uid = seen->workers.id;
    if (!users_may(&seen->workers, &given, R_OK | W_OK))
        wrong->allow = arena_print(arena, "%s %s", wrong->allow, quoted);
    wrong->more += wrong->first != NULL;
    if (!wrong->first)
        wrong->first = arena_print(arena, "%s belongs to %s with mode %o", path,
                                   users_name(arena, file->st_uid), file->st_mode & 07777);
}

static bool check_owners(struct examination *seen)
{
    static const char *const suffixes[] = {"",         "-wal",        "-shm",
                                           "-journal", "-gate",       "-limits",
                                           "-guesses", "-rejections", "-last-backup"};
    struct wrong_files wrong = {"", "", NULL, 0};
    struct doctor *doctor = seen->doctor;
    struct stat file;
    int problems = doctor->problems;
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        const char *path = arena_print(seen->arena, "%s%s", seen->path, suffixes[i]);
        if (lstat(path, &file) != 0)
            continue;
        /* Never opened: a FIFO would be waited for, a link leads to another's file. */
        if (i > 0 && (!S_ISREG(file.st_mode) || file.st_nlink != 1))
            report_strange(seen, strcmp(suffixes[i], "-gate") == 0 ? "lock" : "owner", path);
        else
            note_wrong(seen, &wrong, path, i > 0 ? &file : &seen->file);
    }
    if (wrong.first)
        findings_trouble(
            doctor, "owner", fix_owners(seen, wrong.give, "u+rw", wrong.allow),
            "%s, and the workers run as %s, who cannot write to it%s", wrong.first,
            seen->workers.name,
            wrong.more
                ? arena_print(seen->arena, "; so it is with %d more of its files", wrong.more)
                : "");
    if (seen->file.st_mode & 07)
        findings_warn(doctor, "modes",
                      arena_print(seen->arena, "%schmod o= %s",
                                  examination_as(seen, seen->file.st_uid), seen->quoted),
                      "every user of this machine may read %s", seen->path);
    else if (doctor->problems == problems)
        findings_fine(doctor, "owner", "%s may read and write it", seen->workers.name);
    return doctor->problems == problems;
}

/* -- The folder -------------------------------------------------------------------------------- */

static bool is_of_its_own(const char *folder)
{
    int depth = 0;
    for (const char *slash = folder; *slash; slash++)
        depth += *slash == '/';
    return depth >= FOLDER_DEPTH_LEAST;
}

static const char *fix_folder(struct examination *seen, const char *quoted)
{
    const char *folder = arena_print(seen->arena, " %s", quoted);
    if (!is_of_its_own(seen->folder) || (seen->folder_file.st_mode & S_ISVTX))
        return arena_print(seen->arena, "give the logbook a folder of its own, which belongs to %s",
                           shell_quote(seen->arena, seen->workers.name));
    return fix_owners(seen, seen->folder_file.st_uid == seen->workers.id ? "" : folder,
                      "u+rwx,o=", folder);
}

/* Nothing in the folder is for anybody but the workers, nor for the web server. */
static bool check_folder(struct examination *seen)
{
    struct doctor *doctor = seen->doctor;
    const char *quoted = shell_quote(seen->arena, seen->folder);
    struct statvfs space;
    if (stat(seen->folder, &seen->folder_file) != 0)
        return true;
    const mode_t mode = seen->folder_file.st_mode;
    const bool is_own = is_of_its_own(seen->folder), is_shared = (mode & S_ISVTX) != 0;
    const bool is_open = is_own && !is_shared && (mode & 05);
    const char *close =
        arena_print(seen->arena, "%schmod %s %s", examination_as(seen, seen->folder_file.st_uid),
                    is_own ? "o=" : "o-w", quoted);
    if (statvfs(seen->folder, &space) == 0 && (space.f_flag & ST_RDONLY))
        return findings_trouble(
            doctor, "folder",
            arena_print(seen->arena, "mount -o remount,rw $(findmnt -n -o TARGET -T %s)", quoted),
            "%s is on a file system that is mounted read-only; journalctl -k says if a disk error "
            "is why",
            seen->folder);
    if (!users_may(&seen->workers, &seen->folder_file, R_OK | W_OK | X_OK))
        return findings_trouble(doctor, "folder", fix_folder(seen, quoted),
                                "%s belongs to %s with mode %o, and the workers, who run as %s, "
                                "cannot make files in it",
                                seen->folder, users_name(seen->arena, seen->folder_file.st_uid),
                                mode & 07777, seen->workers.name);
    if (is_open || ((mode & 02) && !is_shared))
        findings_warn(doctor, "folder", close,
                      "every user of this machine may enter %s (mode %o), which is for %s alone",
                      seen->folder, mode & 07777, seen->workers.name);
    else
        findings_fine(doctor, "folder", "%s may make files in %s", seen->workers.name,
                      seen->folder);
    return true;
}

/* -- Disk -------------------------------------------------------------------------------------- */

static void look_at_space(struct examination *seen)
{
    struct statvfs space;
    if (statvfs(seen->folder, &space) != 0)
        return;
    int64_t bytes = (int64_t)space.f_bavail * (int64_t)space.f_frsize, size = seen->file.st_size;
    int64_t enough = size > FREE_BYTES_ENOUGH ? size : FREE_BYTES_ENOUGH;
    const char *fix = arena_print(seen->arena, "df -h %s", shell_quote(seen->arena, seen->folder));
    bool takes_files = space.f_files == 0 || space.f_favail >= FREE_FILES_LEAST;
    findings_add(seen->doctor,
                 bytes < FREE_BYTES_LEAST || !takes_files ? FINDING_PROBLEM
                 : bytes < enough                         ? FINDING_WARNING
                                                          : FINDING_OK,
                 "space", bytes < enough || !takes_files ? fix : NULL,
                 "%lld MB are free on the disk of the logbook, which has %lld MB%s%s",
                 (long long)(bytes >> 20), (long long)(size >> 20),
                 bytes < enough ? "; free some" : "",
                 takes_files ? "" : "; it takes no more files (no free inodes)");
}

/* From linux/magic.h, and those that it lacks. */
static const char *find_remote(unsigned long magic)
{
    static const struct {
        unsigned long magic;
        const char *name;
    } remote[] = {
        {0x6969, "NFS"},    {0xFF534D42, "CIFS"}, {0xFE534D42, "SMB"},  {0x517B, "SMB"},
        {0x01021997, "9p"}, {0x00C36400, "Ceph"}, {0x65735546, "FUSE"}, {0x786F4256, "vboxsf"},
    };
    for (size_t i = 0; i < sizeof remote / sizeof *remote; i++)
        if ((magic & 0xFFFFFFFF) == remote[i].magic)
            return remote[i].name;
    return NULL;
}

void files_check_disk(struct examination *seen)
{
    struct statfs system;
    look_at_space(seen);
    const char *remote =
        statfs(seen->folder, &system) == 0 ? find_remote((unsigned long)system.f_type) : NULL;
    if (remote)
        findings_trouble(seen->doctor, "file system",
                         "move the logbook to a local disk, and name it in QSOSYNC_DB",
                         "%s is on a %s file system, where processes do not share memory and locks "
                         "as the write-ahead log needs",
                         seen->folder, remote);
    else
        findings_fine(seen->doctor, "file system", "it is local");
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
