/* The checks of this machine. Each adds one finding, or one for each thing that is wrong. */
#include "admin/doctor_logbook.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "admin/examination.h"
#include "admin/owner.h"
#include "admin/quiet.h"
#include "base/clock.h"
#include "base/datetime.h"
#include "base/folder.h"

#define BACKUP_DAYS_MAX 2
#define LOG_BYTES_LARGE (64 << 20) /* workers shorten it at 16 MB at the latest */
#define FREE_BYTES_LEAST (16 << 20)
#define FREE_BYTES_ENOUGH (256 << 20)
#define CHECKED_BYTES_MAX (512 << 20) /* a whole check of a larger one takes long */
#define CLOCK_AHEAD_MS 60000
#define FREE_FILES_LEAST 16
#define PROBLEMS_SHOWN 3
#define USER_VERSION_AT 60 /* in the header of a database file */

/* -- The file, its folder and what is beside it ------------------------------------------------ */

/* False where the other checks have nothing to look at. */
static bool look_at_file(struct examination *seen)
{
    struct owner_refusal refusal;
    if (owner_find_refusal(seen->invocation, seen->path, false, &refusal)) {
        findings_add(seen->findings, FINDING_TROUBLE, "database", refusal.command,
                     "%s belongs to %s", refusal.refusing, refusal.owner);
        return false;
    }
    if (stat(seen->path, &seen->file) == 0 && S_ISREG(seen->file.st_mode))
        return true;
    if (errno == ENOENT)
        findings_add(seen->findings, FINDING_TROUBLE, "database", examination_fix_by_init(seen),
                     "%s does not exist", seen->path);
    else
        findings_add(seen->findings, FINDING_TROUBLE, "database",
                     examination_fix_by_moving_aside(seen), "%s is not a file", seen->path);
    return false;
}

static void look_at_owner(struct examination *seen, const char *path, const char *quoted,
                          const struct stat *file, const char *what)
{
    struct arena *arena = seen->invocation->arena;
    if (workers_may(&seen->workers.runs_as, file, R_OK | W_OK))
        return;
    findings_add(
        seen->findings, FINDING_TROUBLE, "owner",
        arena_print(arena, "chown %s: %s && chmod u+rw %s", seen->workers.name, quoted, quoted),
        "%s%s belongs to %s with mode %o, and the workers run as %s, who cannot write to it", what,
        path, workers_user_name(arena, file->st_uid), file->st_mode & 07777, seen->workers.name);
}

static void look_at_files(struct examination *seen)
{
    static const char *const suffixes[] = {"", "-wal", "-shm", "-gate", "-limits", "-rejections"};
    struct arena *arena = seen->invocation->arena;
    struct stat file;
    enum finding_level before = seen->findings->worst;
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        const char *path = arena_print(arena, "%s%s", seen->path, suffixes[i]);
        const char *quoted = command_quote(arena, path);
        if (lstat(path, &file) != 0)
            continue;
        if (i > 0 && (!S_ISREG(file.st_mode) || file.st_nlink > 1))
            findings_add(seen->findings, FINDING_TROUBLE,
                         strcmp(suffixes[i], "-gate") == 0 ? "lock" : "owner",
                         arena_print(arena, "rm %s", quoted),
                         S_ISREG(file.st_mode) ? "%s has a second name, and may be another's file"
                                               : "%s is not an ordinary file",
                         path);
        else
            look_at_owner(seen, path, quoted, i > 0 ? &file : &seen->file, "");
    }
    if (seen->file.st_mode & 07)
        findings_add(seen->findings, FINDING_WARNING, "modes",
                     arena_print(arena, "chmod o= %s", seen->quoted),
                     "every user of this machine may read %s", seen->path);
    if (seen->findings->worst == before)
        findings_add(seen->findings, FINDING_OK, "owner", NULL, "%s may read and write it",
                     seen->workers.name);
}

static void look_at_folder(struct examination *seen)
{
    struct arena *arena = seen->invocation->arena;
    const char *quoted = command_quote(arena, seen->folder);
    struct statvfs space;
    if (stat(seen->folder, &seen->folder_file) != 0)
        return;
    bool read_only = statvfs(seen->folder, &space) == 0 && (space.f_flag & ST_RDONLY) != 0;
    if (read_only)
        findings_add(
            seen->findings, FINDING_TROUBLE, "folder",
            arena_print(arena, "mount -o remount,rw $(findmnt -n -o TARGET -T %s)", quoted),
            "%s is on a file system that is mounted read-only", seen->folder);
    else if (!workers_may(&seen->workers.runs_as, &seen->folder_file, R_OK | W_OK | X_OK))
        findings_add(
            seen->findings, FINDING_TROUBLE, "folder",
            arena_print(arena, "chown %s: %s && chmod 750 %s", seen->workers.name, quoted, quoted),
            "%s belongs to %s with mode %o, and the workers, who run as %s, cannot make "
            "files in it",
            seen->folder, workers_user_name(arena, seen->folder_file.st_uid),
            seen->folder_file.st_mode & 07777, seen->workers.name);
    else if ((seen->folder_file.st_mode & 02) && !(seen->folder_file.st_mode & S_ISVTX))
        findings_add(seen->findings, FINDING_WARNING, "folder",
                     arena_print(arena, "chmod o= %s", quoted),
                     "every user of this machine may put files into %s", seen->folder);
    else
        findings_add(seen->findings, FINDING_OK, "folder", NULL, "%s may make files in %s",
                     seen->workers.name, seen->folder);
}

/* -- Disk -------------------------------------------------------------------------------------- */

static void add_abandoned(void *context, const char *path)
{
    struct examination *seen = context;
    struct arena *arena = seen->invocation->arena;
    const char *quoted = command_quote(arena, path);
    findings_add(seen->findings, FINDING_WARNING, "space",
                 arena_print(arena, "rm -f %s %s-wal %s-shm %s-journal %s-gate", quoted, quoted,
                             quoted, quoted, quoted),
                 "%s was left by a restore that was killed", path);
}

static void look_at_space(struct examination *seen)
{
    struct statvfs space;
    store_list_abandoned_restores(seen->path, seen->invocation->arena, add_abandoned, seen);
    if (statvfs(seen->folder, &space) != 0)
        return;
    int64_t bytes = (int64_t)space.f_bavail * (int64_t)space.f_frsize;
    int64_t enough =
        seen->file.st_size > FREE_BYTES_ENOUGH ? seen->file.st_size : FREE_BYTES_ENOUGH;
    enum finding_level level = bytes < FREE_BYTES_LEAST ? FINDING_TROUBLE
                               : bytes < enough         ? FINDING_WARNING
                                                        : FINDING_OK;
    const char *fix = arena_print(seen->invocation->arena,
                                  "df -h %s; apt-get clean; journalctl --vacuum-size=100M",
                                  command_quote(seen->invocation->arena, seen->folder));
    findings_add(seen->findings, level, "space", level == FINDING_OK ? NULL : fix,
                 "%lld MB are free where the logbook is, which has %lld MB",
                 (long long)(bytes >> 20), (long long)(seen->file.st_size >> 20));
    if (space.f_files > 0 && space.f_favail < FREE_FILES_LEAST)
        findings_add(seen->findings, FINDING_TROUBLE, "space", fix,
                     "no more files can be made where the logbook is (no free inodes)");
}

static void look_at_file_system(struct examination *seen)
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
            findings_add(seen->findings, FINDING_TROUBLE, "file system",
                         "move the logbook to a local disk, and name it in QSOSYNC_DB",
                         "%s is on a %s file system, where processes do not share memory and locks "
                         "as the write-ahead log needs",
                         seen->folder, remote[i].name);
            return;
        }
    findings_add(seen->findings, FINDING_OK, "file system", NULL, "it is local");
}

/* -- Content ----------------------------------------------------------------------------------- */

static enum store_result open_quietly(struct examination *seen, char said[QUIET_LINE_BYTES])
{
    struct folder_ids before;
    struct quiet quiet;
    quiet_begin(&quiet);
    bool acting = folder_act_as_owner(seen->path, &before);
    enum store_result result =
        store_open(seen->path, STORE_OPEN_READ_ONLY, &seen->invocation->store);
    if (acting)
        folder_act_as(before);
    quiet_end(&quiet, said);
    return result;
}

static bool look_at_content(struct examination *seen)
{
    char said[QUIET_LINE_BYTES];
    enum store_result result = open_quietly(seen, said);
    if (result == STORE_NONE)
        findings_add(seen->findings, FINDING_TROUBLE, "database", examination_fix_by_init(seen),
                     "%s is empty", seen->path);
    else if (strstr(said, "newer than"))
        findings_add(seen->findings, FINDING_TROUBLE, "schema",
                     "install the newer QSOsync again, or restore a backup of this one", "%s",
                     said);
    else if (result != STORE_DONE)
        findings_add(seen->findings, FINDING_TROUBLE, "database",
                     strstr(said, "not a QSOsync logbook") ? examination_fix_by_moving_aside(seen)
                                                           : examination_fix_by_restoring(seen),
                     "%s", *said ? said : "it cannot be opened");
    return result == STORE_DONE;
}

/* The version in the file's header: the store itself reads an older file through a copy. */
static void look_at_schema(struct examination *seen, const struct logbook_status *status)
{
    uint32_t version = 0;
    int file = open(seen->path, O_RDONLY | O_CLOEXEC);
    if (file < 0 ||
        pread(file, &version, sizeof version, USER_VERSION_AT) != (ssize_t)sizeof version)
        version = htonl((uint32_t)status->schema_version);
    if (file >= 0)
        close(file);
    if (ntohl(version) < status->schema_version && status->log_bytes == 0)
        findings_add(seen->findings, FINDING_WARNING, "schema", examination_fix_by_init(seen),
                     "the schema has version %lu, and this program's is %lld: no newer program has "
                     "written to the logbook yet",
                     (unsigned long)ntohl(version), (long long)status->schema_version);
    else
        findings_add(seen->findings, FINDING_OK, "schema", NULL, "version %lld",
                     (long long)status->schema_version);
}

static void look_at_log(struct examination *seen, const struct logbook_status *status)
{
    if (status->log_bytes > LOG_BYTES_LARGE)
        findings_add(seen->findings, FINDING_WARNING, "log",
                     examination_fix_by_ending(seen, "-wal"),
                     "the write-ahead log has %lld MB and grows: some program keeps reading an old "
                     "state of the logbook",
                     (long long)(status->log_bytes >> 20));
    else
        findings_add(seen->findings, FINDING_OK, "log", NULL, "the write-ahead log has %lld kB",
                     (long long)(status->log_bytes >> 10));
}

static void look_at_stamps(struct examination *seen, const struct logbook_status *status)
{
    int64_t ahead_ms = status->last_write_ms - clock_wall_ms();
    if (ahead_ms > CLOCK_AHEAD_MS)
        findings_add(seen->findings, FINDING_WARNING, "clock", "timedatectl set-ntp true",
                     "the last write is %lld s ahead of this machine's clock, which was set back",
                     (long long)(ahead_ms / 1000));
}

struct problems {
    struct examination *seen;
    int64_t said;
};

static void add_problem(void *context, const char *problem)
{
    struct problems *problems = context;
    if (problems->said++ < PROBLEMS_SHOWN)
        findings_add(problems->seen->findings, FINDING_TROUBLE, "content",
                     examination_fix_for_damage(problems->seen), "%s", problem);
}

static void look_for_problems(struct examination *seen)
{
    struct problems problems = {seen, 0};
    int64_t count = 0;
    if (seen->file.st_size > CHECKED_BYTES_MAX) {
        findings_add(seen->findings, FINDING_OK, "content", NULL,
                     "the logbook is large; qsosync-admin check examines it");
        return;
    }
    char said[QUIET_LINE_BYTES];
    struct quiet quiet;
    quiet_begin(&quiet);
    enum store_result result = store_check(seen->invocation->store, add_problem, &problems, &count);
    quiet_end(&quiet, said);
    if (result != STORE_DONE)
        findings_add(
            seen->findings, FINDING_TROUBLE, "content",
            arena_print(seen->invocation->arena, "qsosync-admin --db %s check", seen->quoted),
            "the logbook cannot be read to its end: %s", said);
    else if (count == 0)
        findings_add(seen->findings, FINDING_OK, "content", NULL, "check finds no problem");
}

static void look_at_backups(struct examination *seen)
{
    struct backup_note note;
    struct arena *arena = seen->invocation->arena;
    const char *fix = examination_fix_for_backups(seen);
    if (store_find_backup_note(seen->path, arena, &note) != STORE_DONE) {
        findings_add(seen->findings, FINDING_WARNING, "backup", fix, "there was never a backup");
        return;
    }
    int64_t days = (clock_wall_ms() - note.made_at_ms) / DATETIME_DAY_MS;
    bool gone = access(note.path.bytes, F_OK) != 0 && errno == ENOENT;
    enum finding_level level = gone || days >= BACKUP_DAYS_MAX ? FINDING_WARNING : FINDING_OK;
    findings_add(seen->findings, level, "backup", level == FINDING_OK ? NULL : fix,
                 gone ? "the last backup, %s, is gone (%lld days old)"
                      : "the last one is %s, %lld days old",
                 note.path.bytes, (long long)days);
}

/* -- All of it --------------------------------------------------------------------------------- */

/* The logbook is open. Damage may keep its numbers from being read; the other checks still run. */
static void look_into_logbook(struct examination *seen)
{
    struct logbook_status status;
    struct quiet quiet;
    char said[QUIET_LINE_BYTES];
    findings_add(seen->findings, FINDING_OK, "database", NULL, "%s is a QSOsync logbook",
                 seen->path);
    quiet_begin(&quiet);
    enum store_result result = store_read_status(seen->invocation->store, &status);
    quiet_end(&quiet, said);
    if (result == STORE_DONE) {
        look_at_schema(seen, &status);
        look_at_log(seen, &status);
        look_at_stamps(seen, &status);
    }
    look_for_problems(seen);
    look_at_backups(seen);
}

void doctor_look_at_logbook(struct invocation *invocation, struct findings *findings)
{
    struct examination seen;
    examination_begin(&seen, invocation, findings);
    if (look_at_file(&seen)) {
        look_at_files(&seen);
        look_at_folder(&seen);
        look_at_space(&seen);
        look_at_file_system(&seen);
        if (look_at_content(&seen))
            look_into_logbook(&seen);
    }
    doctor_look_at_workers(invocation, &seen.workers, findings);
}
