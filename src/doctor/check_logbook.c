/* The checks of this machine, and those of them that a worker can make on its own logbook: it reads
 * no other program's files, and neither opens nor closes those of the logbook, which would end the
 * locks of its process (fcntl(2)). Where a file or a right keeps the logbook closed, what an
 * attempt to open it would say is left out: one cause, one fix. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/datetime.h"
#include "base/folder.h"
#include "base/log.h"
#include "doctor/machine.h"
#include "recovery/backup.h"
#include "recovery/check.h"
#include "store/logbook.h"

#define BACKUP_DAYS_MAX 2
#define LOG_BYTES_LARGE (64 << 20)          /* workers shorten it at 16 MB at the latest */
#define CHECKED_BYTES_MAX (512 << 20)       /* a whole check of a larger one takes long */
#define WORKER_CHECKED_BYTES_MAX (16 << 20) /* a request has a second or two, not a minute */
#define CLOCK_AHEAD_MS 60000
#define USER_VERSION_AT 60 /* in the header of a database file */

/* The bytes of the -shm file that readers lock: https://www.sqlite.org/walformat.html */
#define READ_LOCKS_FIRST 123
#define READ_LOCKS_LAST 127

/* Only damage is mended by a restore. A disk, a right or a lock is not, and would lose QSOs for
 * nothing. */
void check_content_report_failure(struct examination *seen, const char *check, const char *what)
{
    if (store_has_found_damage())
        findings_add(seen->findings, FINDING_PROBLEM, check, examination_fix_for_damage(seen),
                     "%s%s", what, examination_tell_loss(seen));
    else
        findings_add(seen->findings, FINDING_PROBLEM, check, "journalctl -k -p warning -n 30",
                     "%s; the logbook may be whole, and the system's log may say why", what);
}

/* The version in the file's header: the store itself reads an older file through a copy. A worker
 * has brought the file's schema up to date. */
static int64_t read_file_version(const struct examination *seen,
                                 const struct logbook_status *status)
{
    uint32_t version = htonl((uint32_t)status->schema_version);
    if (seen->doctor->is_worker)
        return status->schema_version;
    int file = open(seen->path, O_RDONLY | O_CLOEXEC);
    if (file < 0 ||
        pread(file, &version, sizeof version, USER_VERSION_AT) != (ssize_t)sizeof version)
        version = htonl((uint32_t)status->schema_version);
    if (file >= 0)
        close(file);
    return ntohl(version);
}

static void look_at_schema(struct examination *seen, const struct logbook_status *status)
{
    int64_t version = read_file_version(seen, status);
    if (version < status->schema_version && status->log_bytes == 0)
        findings_add(
            seen->findings, FINDING_WARNING, "schema", examination_fix_by_init(seen),
            "the schema has version %lld, and this program's is %lld: no newer program has "
            "written to the logbook yet",
            (long long)version, (long long)status->schema_version);
    else
        findings_add(seen->findings, FINDING_OK, "schema", NULL, "version %lld",
                     (long long)status->schema_version);
}

#define LOG_GROWS "the write-ahead log has %lld MB and grows"

/* The next write shortens it, as init does. Who keeps it long is seen from outside of a worker. */
static void report_long_log(struct examination *seen, const struct logbook_status *status)
{
    struct arena *arena = seen->doctor->arena;
    if (seen->doctor->is_worker) {
        findings_add(seen->findings, FINDING_WARNING, "log", examination_fix_by_doctor(seen),
                     LOG_GROWS, (long long)(status->log_bytes >> 20));
        return;
    }
    struct holder holder = holders_find(arena, arena_print(arena, "%s-shm", seen->path),
                                        READ_LOCKS_FIRST, READ_LOCKS_LAST);
    findings_add(
        seen->findings, FINDING_WARNING, "log",
        holder.pid ? arena_print(arena, "%s; %s", check_workers_fix_by_ending(arena, &holder),
                                 examination_fix_by_init(seen))
                   : examination_fix_by_init(seen),
        holder.pid ? LOG_GROWS ": %s keeps reading an old state of the logbook" : LOG_GROWS,
        (long long)(status->log_bytes >> 20), check_workers_name_holder(arena, &holder));
}

static void look_at_log(struct examination *seen, const struct logbook_status *status)
{
    if (status->log_bytes > LOG_BYTES_LARGE)
        report_long_log(seen, status);
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
    const char *first;
    bool first_is_damage;
};

static void add_problem(void *context, const char *problem)
{
    struct problems *problems = context;
    if (problems->first && (problems->first_is_damage || !store_has_found_damage()))
        return;
    problems->first = arena_print(problems->seen->doctor->arena, "%s", problem);
    problems->first_is_damage = store_has_found_damage();
}

/* One line for all: they are likely to have one cause. */
static void report_problems(struct examination *seen, const struct problems *problems,
                            int64_t count)
{
    struct arena *arena = seen->doctor->arena;
    const char *more =
        count > 1 ? arena_print(arena, ", and %lld more problems", (long long)count - 1) : "";
    if (problems->first_is_damage)
        findings_add(seen->findings, FINDING_PROBLEM, "content", examination_fix_for_damage(seen),
                     "%s%s%s", problems->first, more, examination_tell_loss(seen));
    else
        findings_add(seen->findings, FINDING_PROBLEM, "content",
                     "keep the logbook as it is and report this line",
                     "%s%s: no page is damaged, but a rule of QSOsync is broken", problems->first,
                     more);
}

static void look_for_problems(struct examination *seen)
{
    struct problems problems = {seen, NULL, false};
    int64_t count = 0;
    off_t most = seen->doctor->is_worker ? WORKER_CHECKED_BYTES_MAX : CHECKED_BYTES_MAX;
    if (seen->file.st_size > most) {
        findings_add(seen->findings, FINDING_OK, "content", NULL,
                     "the logbook is large; qsosync-admin check examines it");
        return;
    }
    char said[LOG_KEPT_BYTES];
    log_keep_first(said);
    enum store_result result = store_check(seen->doctor->store, add_problem, &problems, &count);
    log_keep_first(NULL);
    if (problems.first)
        report_problems(seen, &problems, count);
    else if (result != STORE_DONE)
        check_content_report_failure(
            seen, "content",
            arena_print(seen->doctor->arena, "the logbook cannot be read to its end: %s", said));
    else
        findings_add(seen->findings, FINDING_OK, "content", NULL, "check finds no problem");
}

static void look_at_backups(struct examination *seen)
{
    struct backup_note note;
    struct arena *arena = seen->doctor->arena;
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

/* Which one it is, the doctor does not know here. */
static void look_at_own_address(struct examination *seen)
{
    struct text own;
    char said[LOG_KEPT_BYTES];
    log_keep_first(said);
    bool is_read = own_address_read(seen->doctor, &own);
    log_keep_first(NULL);
    if (is_read && own.length == 0)
        findings_add(seen->findings, FINDING_WARNING, "own address",
                     arena_print(seen->doctor->arena, "%s, with the name of your service",
                                 own_address_fix(seen->doctor, "https://log.example.org")),
                     "the service does not know its own address, which links and QR codes need");
    else if (is_read)
        findings_add(seen->findings, FINDING_OK, "own address", NULL, "%.*s", (int)own.length,
                     own.bytes);
}

/* Damage may keep the logbook's numbers from being read; the other checks still run. */
void check_content(struct examination *seen)
{
    struct logbook_status status;
    char said[LOG_KEPT_BYTES];
    findings_add(seen->findings, FINDING_OK, "database", NULL, "%s is a QSOsync logbook",
                 seen->path);
    log_keep_first(said);
    enum store_result result = store_read_status(seen->doctor->store, &status);
    log_keep_first(NULL);
    if (result == STORE_DONE) {
        look_at_schema(seen, &status);
        look_at_log(seen, &status);
        look_at_stamps(seen, &status);
    }
    look_for_problems(seen);
    look_at_backups(seen);
    look_at_own_address(seen);
}

/* -- Opening --------------------------------------------------------------------------------------
 */

static enum store_result open_logbook(struct examination *seen, char said[LOG_KEPT_BYTES])
{
    struct folder_ids before;
    log_keep_first(said);
    bool acting = folder_act_as_owner(seen->path, &before);
    enum store_result result = store_open(seen->path, OPEN_READ_ONLY, &seen->doctor->store);
    if (acting)
        folder_act_as(before);
    log_keep_first(NULL);
    return result;
}

static bool look_at_content(struct examination *seen)
{
    char said[LOG_KEPT_BYTES];
    enum store_result result = open_logbook(seen, said);
    if (result == STORE_NONE)
        findings_add(seen->findings, FINDING_PROBLEM, "database", examination_fix_for_none(seen),
                     "%s is empty", seen->path);
    else if (strstr(said, "newer than"))
        findings_add(seen->findings, FINDING_PROBLEM, "schema",
                     "install the newer QSOsync again, which wrote it last", "%s", said);
    else if (result != STORE_DONE && strstr(said, "not a QSOsync logbook"))
        findings_add(seen->findings, FINDING_PROBLEM, "database",
                     "name the logbook itself in QSOSYNC_DB, or move this file to another place",
                     "%s", said);
    else if (result != STORE_DONE)
        check_content_report_failure(seen, "database", *said ? said : "it cannot be opened");
    return result == STORE_DONE;
}

/* -- All of it --------------------------------------------------------------------------------- */

void check_logbook_of_worker(struct doctor *doctor, struct findings *findings)
{
    struct examination seen;
    examination_begin(&seen, doctor, findings);
    if (stat(seen.path, &seen.file) != 0)
        return;
    check_files_space(&seen);
    check_files_system(&seen);
    check_content(&seen);
}

void check_logbook(struct doctor *doctor, struct findings *findings)
{
    struct examination seen;
    examination_begin(&seen, doctor, findings);
    if (check_files_find(&seen)) {
        bool usable = check_files_owners(&seen);
        usable = check_files_folder(&seen) && usable;
        check_files_space(&seen);
        check_files_system(&seen);
        if (usable && look_at_content(&seen))
            check_content(&seen);
    }
    if (check_units_settings(doctor, findings))
        check_workers(doctor, &seen.workers, findings);
    check_units_installed(doctor, findings);
    check_sites(&seen);
}
