/* The checks of the logbook itself: it is opened, and its write-ahead log, stamps, content
 * and address are looked at. A worker may make them on its own logbook: it reads no other program's
 * files, and neither opens nor closes those of the logbook, which would end the locks of its
 * process (fcntl(2)). None of the commands that an operator pastes is run here. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/folder.h"
#include "base/log.h"
#include "doctor/machine.h"
#include "installation.h"
#include "recovery/check.h"
#include "store/club.h"

#define ADDRESS_SETTING "QSOSYNC_ADDRESS"
#define LOG_BYTES_LARGE (64 << 20)          /* workers shorten it at 16 MB at the latest */
#define CHECKED_BYTES_MAX (512 << 20)       /* a whole check of a larger one takes long */
#define WORKER_CHECKED_BYTES_MAX (16 << 20) /* a request has a second or two, not a minute */
#define CLOCK_AHEAD_MS 60000

/* -- Commands ---------------------------------------------------------------------------------- */

const char *examination_as(struct examination *seen, uid_t user)
{
    return user == 0 ? ""
                     : print(seen, "runuser -u %s -- ", quote(seen, users_name(seen->arena, user)));
}

static const char *fix_by_init(struct examination *seen)
{
    return print(seen, "runuser -u %s -- qsosync-admin --db %s init",
                 quote(seen, seen->workers.name), seen->quoted);
}

/* An empty logbook would let nobody in who has a key: whether there was one before, people know. */
const char *examination_fix_for_none(struct examination *seen)
{
    struct backup_note note;
    const char *other = workers_find_other(seen, false);
    if (!other && !folder_is_same(QSOSYNC_DEFAULT_DB, seen->path))
        other = QSOSYNC_DEFAULT_DB;
    if (other && access(other, F_OK) == 0)
        return print(seen, "qsosync-admin --db %s doctor", quote(seen, other));
    if (store_find_backup_note(seen->path, seen->arena, &note) == STORE_DONE)
        return print(seen,
                     "look where it is now, for there was one, with the backup %s - if it is lost, "
                     "man qsosync-admin says more under RESTORING",
                     note.path.bytes);
    return print(seen, "if there never was one, make it: %s - otherwise look where it is now",
                 fix_by_init(seen));
}

/* -- Write-ahead log, stamps --------------------------------------------------------------------
 */

/* The next write shortens it, as init does. Who keeps it long is seen from outside of a worker. */
static void look_at_log(struct examination *seen, const struct logbook_status *status)
{
    const struct process *reader = &seen->reader;
    const char *fix = fix_by_init(seen);
    if (status->log_bytes <= LOG_BYTES_LARGE) {
        fine(seen, "log", "the write-ahead log has %lld kB", (long long)(status->log_bytes >> 10));
        return;
    }
    if (seen->doctor->is_worker)
        fix = print(seen, "qsosync-admin --db %s doctor", seen->quoted);
    else if (reader->pid)
        fix = print(seen, "%s; %s", workers_fix_by_ending(seen, reader), fix);
    warn(seen, "log", fix, "the write-ahead log has %lld MB and grows%s",
         (long long)(status->log_bytes >> 20),
         reader->pid ? print(seen, ": %s keeps reading an old state of the logbook",
                             processes_name(seen->arena, reader))
                     : "");
}

static void look_at_stamps(struct examination *seen, const struct logbook_status *status)
{
    int64_t ahead_ms = status->last_write_ms - clock_wall_ms();
    if (ahead_ms > CLOCK_AHEAD_MS)
        warn(seen, "clock", "timedatectl set-ntp true",
             "the last write is %lld s ahead of this machine's clock, which was set back",
             (long long)(ahead_ms / 1000));
}

/* -- Content ----------------------------------------------------------------------------------- */

struct problems {
    struct arena *arena;
    const char *first;
    bool is_damage;
};

static void add_problem(void *context, const char *problem)
{
    struct problems *problems = context;
    if (problems->first && (problems->is_damage || !store_has_found_damage()))
        return;
    problems->first = arena_print(problems->arena, "%s", problem);
    problems->is_damage = store_has_found_damage();
}

/* Only damage is mended by a restore. A disk, a right or a lock is not, and would lose QSOs for
 * nothing. */
static void report_failure(struct examination *seen, const char *check, const char *what)
{
    if (store_has_found_damage())
        backups_report_damage(seen, check, what);
    else
        trouble(seen, check, "journalctl -k -p warning -n 30",
                "%s; the logbook may be whole, and the system's log may say why", what);
}

/* One line for all: they are likely to have one cause. */
static void look_for_problems(struct examination *seen)
{
    struct problems problems = {.arena = seen->arena};
    int64_t count = 0;
    if (seen->file.st_size >
        (seen->doctor->is_worker ? WORKER_CHECKED_BYTES_MAX : CHECKED_BYTES_MAX)) {
        fine(seen, "content", "the logbook is large; qsosync-admin check examines it");
        return;
    }
    log_keep_first(seen->said);
    enum store_result result = store_check(seen->doctor->store, add_problem, &problems, &count);
    const char *what = problems.first;
    if (what && count > 1)
        what = print(seen, "%s, and %lld more problems", what, (long long)count - 1);
    if (what && problems.is_damage)
        backups_report_damage(seen, "content", what);
    else if (what)
        trouble(seen, "content", "keep the logbook as it is and report this line",
                "%s: no page is damaged, but a rule of QSOsync is broken", what);
    else if (result != STORE_DONE)
        report_failure(seen, "content",
                       print(seen, "the logbook cannot be read to its end: %s", seen->said));
    else
        fine(seen, "content", "check finds no problem");
}

/* -- The service's own address ----------------------------------------------------------------- */

static const char *find_address_setting(struct examination *seen)
{
    const char *set = getenv(ADDRESS_SETTING);
    if (!set && !seen->doctor->is_worker)
        set =
            units_variable(units_read(seen->arena, "qsosync-site.service"), ADDRESS_SETTING, NULL);
    return set ? set : "";
}

/* In the order of the pages' program, src/site/page.c. */
bool own_address_read(struct examination *seen, struct text *out)
{
    struct club club;
    bool is_read = seen->doctor->store &&
                   store_read_club(seen->doctor->store, seen->arena, &club) == STORE_DONE;
    if (is_read)
        *out = club.values[CLUB_ADDRESS];
    if (is_read && out->length == 0) {
        *out = text_of(print(seen, "%s", find_address_setting(seen)));
        club_judge(CLUB_ADDRESS, out); /* takes off the end that the setting may have */
    }
    return is_read;
}

/* Which one it is, the doctor does not know here. */
static void look_at_own_address(struct examination *seen)
{
    struct text own;
    if (!own_address_read(seen, &own))
        return;
    if (own.length > 0)
        fine(seen, "own address", "%.*s", (int)own.length, own.bytes);
    else
        warn(seen, "own address",
             print(seen,
                   "set it once, with the name of your service: qsosync-admin %sclub set --address "
                   "https://...",
                   shell_database(seen)),
             "the service does not know its own address, which links and QR codes need");
}

/* -- All of it --------------------------------------------------------------------------------- */

static bool open_logbook(struct examination *seen)
{
    struct folder_ids before;
    log_keep_first(seen->said);
    bool acting = folder_act_as_owner(seen->path, &before);
    enum store_result result = store_open(seen->path, OPEN_READ_ONLY, &seen->doctor->store);
    if (acting)
        folder_act_as(before);
    if (result == STORE_DONE)
        return true;
    if (result == STORE_NONE && seen->file.st_size == 0)
        backups_report_damage(seen, "database", print(seen, "%s is empty", seen->path));
    else if (result == STORE_NEWER)
        trouble(seen, "schema", "install the newer QSOsync again, which wrote it last", "%s",
                seen->said);
    else if (result == STORE_NONE || result == STORE_FOREIGN)
        trouble(seen, "database",
                "name the logbook itself in QSOSYNC_DB, or move this file to another place",
                "%s is not a QSOsync logbook", seen->path);
    else
        report_failure(seen, "database", *seen->said ? seen->said : "it cannot be opened");
    return false;
}

/* Damage may keep the logbook's numbers from being read; the other checks still run. */
static void look_at_content(struct examination *seen)
{
    struct logbook_status status;
    fine(seen, "database", "%s is a QSOsync logbook", seen->path);
    enum store_result result = store_read_status(seen->doctor->store, &status);
    if (result == STORE_DONE) {
        fine(seen, "schema", "version %lld", (long long)status.schema_version);
        look_at_log(seen, &status);
        look_at_stamps(seen, &status);
    }
    look_for_problems(seen);
    backups_check(seen);
    if (result == STORE_DONE)
        peers_check(seen);
    look_at_own_address(seen);
}

void examination_begin(struct examination *seen, struct doctor *doctor)
{
    char *real = realpath(doctor->database, NULL);
    *seen = (struct examination){.doctor = doctor, .arena = doctor->arena};
    log_keep_first(seen->said);
    seen->path = print(seen, "%s", real ? real : doctor->database);
    free(real);
    seen->quoted = quote(seen, seen->path);
    char *folder = print(seen, "%s", folder_of(seen->path, seen->arena));
    if (folder[1])
        folder[strlen(folder) - 1] = '\0';
    seen->folder = folder;
    if (doctor->is_worker)
        seen->workers = (struct user){.id = geteuid(), .name = users_name(seen->arena, geteuid())};
    else
        workers_find_user(seen);
}

void examination_end(void)
{
    log_keep_first(NULL);
}

void doctor_examine_as_worker(struct doctor *doctor)
{
    struct examination seen;
    examination_begin(&seen, doctor);
    if (stat(seen.path, &seen.file) == 0) {
        files_check_disk(&seen);
        look_at_content(&seen);
    }
    examination_end();
}

void doctor_examine_logbook(struct doctor *doctor)
{
    struct examination seen;
    examination_begin(&seen, doctor);
    seen.running = processes_find_workers(seen.arena);
    bool usable = files_check(&seen);
    workers_find_locks(&seen);
    if (usable && open_logbook(&seen))
        look_at_content(&seen);
    workers_check(&seen);
    fronts_check(&seen);
    examination_end();
}
