/* Checks of the workers that run on this machine: which user they are, which logbook they serve,
 * whether their program was replaced, and whether one of them keeps the writer lock. What can be
 * seen of processes is read by workers.c and holders.c. */
#include <limits.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/shared_file.h"
#include "doctor/machine.h"
#include "installation.h"

#define UNIT "qsosync.service"
#define SITE_UNIT "qsosync-site.service"
#define LOCK_TRIES 20
#define LOCK_PAUSE_NS 50000000 /* a write takes some milliseconds */

static bool serves(const struct worker *worker, const char *logbook)
{
    return folder_is_same(worker->logbook ? worker->logbook : QSOSYNC_DEFAULT_DB, logbook);
}

/* A process of somebody else, who cannot use the folder at all, says nothing about whose the
 * logbook is to be. */
static bool may_use(const struct worker *worker, const char *folder)
{
    struct stat status;
    return stat(folder, &status) == 0 &&
           (status.st_uid == worker->runs_as.user ||
            (!(status.st_mode & 02) && workers_may(&worker->runs_as, &status, R_OK | W_OK | X_OK)));
}

void check_workers_find_user(struct doctor *doctor, const char *folder, struct named_user *out)
{
    struct stat status;
    struct unit unit;
    *out = (struct named_user){{0}, NULL};
    units_read(doctor->arena, UNIT, &unit);
    if (units_use_logbook(&unit, doctor->database) && unit.user &&
        workers_look_up_user(unit.user, &out->runs_as)) {
        out->name = unit.user;
        return;
    }
    for (struct worker *worker = workers_find(doctor->arena); worker; worker = worker->next)
        if (!worker->is_closed && serves(worker, doctor->database) && may_use(worker, folder)) {
            out->runs_as = worker->runs_as;
            out->name = workers_user_name(doctor->arena, worker->runs_as.user);
            return;
        }
    out->runs_as.user = stat(folder, &status) == 0 ? status.st_uid : geteuid();
    if (out->runs_as.user == 0 && stat(doctor->database, &status) == 0)
        out->runs_as.user = status.st_uid;
    out->name = workers_user_name(doctor->arena, out->runs_as.user);
    workers_look_up_user(out->name, &out->runs_as);
}

const char *check_workers_find_other(struct arena *arena, const struct named_user *user,
                                     const char *logbook)
{
    for (struct worker *worker = workers_find(arena); worker; worker = worker->next)
        if (worker->logbook && worker->runs_as.user == user->runs_as.user &&
            !folder_is_same(worker->logbook, logbook))
            return worker->logbook;
    return NULL;
}

const char *check_workers_fix_for_logbook(struct doctor *doctor)
{
    struct named_user user;
    const char *path = doctor->database;
    check_workers_find_user(doctor, folder_of(path, doctor->arena), &user);
    return arena_print(doctor->arena, "runuser -u %s -- qsosync-admin --db %s doctor",
                       shell_quote(doctor->arena, user.name), shell_quote(doctor->arena, path));
}

struct count {
    int running, old;
    const char *path;
};

/* A process that is closed to this user serves what the unit says. */
static struct count count_workers(struct doctor *doctor, const struct named_user *expected,
                                  enum worker_program program)
{
    struct count count = {0, 0, NULL};
    struct unit unit;
    units_read(doctor->arena, program == WORKER_API ? UNIT : SITE_UNIT, &unit);
    bool unit_serves = units_use_logbook(&unit, doctor->database);
    for (struct worker *worker = workers_find(doctor->arena); worker; worker = worker->next)
        if (worker->program == program && worker->runs_as.user == expected->runs_as.user &&
            (worker->is_closed ? unit_serves : serves(worker, doctor->database))) {
            count.running++;
            count.old += worker->is_old;
            count.path = worker->is_old || !count.path ? worker->path : count.path;
        }
    return count;
}

/* Several installations may share a machine; workers of the logbook's own user are of this one. */
static void report_none(struct doctor *doctor, const struct named_user *expected,
                        struct findings *findings)
{
    struct unit unit;
    struct arena *arena = doctor->arena;
    const char *other = check_workers_find_other(arena, expected, doctor->database);
    units_read(arena, UNIT, &unit);
    if (other)
        findings_add(findings, FINDING_WARNING, "workers",
                     arena_print(arena, "qsosync-admin --db %s doctor", shell_quote(arena, other)),
                     "no worker serves %s; those that run serve another logbook, %s",
                     doctor->database, other);
    else if (units_use_logbook(&unit, doctor->database))
        findings_add(findings, FINDING_PROBLEM, "workers", "systemctl restart " UNIT, "none runs");
    else
        findings_add(findings, FINDING_OK, "workers", NULL,
                     "this user sees none that runs; a web server may start them");
}

static void report_no_pages(struct doctor *doctor, struct findings *findings)
{
    struct unit unit;
    units_read(doctor->arena, SITE_UNIT, &unit);
    if (units_use_logbook(&unit, doctor->database) && (unit.by_operator || unit.enabled))
        findings_add(findings, FINDING_PROBLEM, "pages", "systemctl restart " SITE_UNIT,
                     "no worker of the pages runs");
}

static void report_running(struct findings *findings, struct count count, const char *check,
                           const char *unit)
{
    if (count.old > 0)
        findings_add(findings, FINDING_WARNING, check,
                     arena_print(findings->arena, "systemctl restart %s", unit),
                     "%d of the workers run an older program than the file %s", count.old,
                     count.path);
    else
        findings_add(findings, FINDING_OK, check, NULL, "%d run%s", count.running,
                     count.running == 1 ? "s" : "");
}

/* Counted before a socket is tried, for which systemd would start them. A socket that is missing
 * explains why none runs. */
static void look_at_processes(struct doctor *doctor, const struct named_user *expected,
                              struct findings *findings)
{
    struct count workers = count_workers(doctor, expected, WORKER_API);
    struct count pages = count_workers(doctor, expected, WORKER_SITE);
    bool reached = check_units_socket(doctor, "socket", "qsosync", true, findings);
    if (workers.running > 0)
        report_running(findings, workers, "workers", UNIT);
    else if (reached)
        report_none(doctor, expected, findings);
    reached = check_units_socket(doctor, "pages", "qsosync-site", false, findings);
    if (pages.running > 0)
        report_running(findings, pages, "pages", SITE_UNIT);
    else if (reached)
        report_no_pages(doctor, findings);
}

static bool is_worker(struct arena *arena, pid_t pid)
{
    for (struct worker *worker = workers_find(arena); worker; worker = worker->next)
        if (worker->pid == pid)
            return true;
    return false;
}

const char *check_workers_name_holder(struct arena *arena, const struct holder *holder)
{
    return holder->pid ? arena_print(arena, "process %ld (%s)", (long)holder->pid, holder->name)
                       : "a process that this user may not see";
}

const char *check_workers_fix_by_ending(struct arena *arena, const struct holder *holder)
{
    if (!holder->pid)
        return "run doctor as root, which sees the process";
    return is_worker(arena, holder->pid) ? "systemctl restart qsosync.service"
                                         : arena_print(arena, "kill %ld", (long)holder->pid);
}

/* The lock is held for one write at a time. A holder that keeps it is stuck. */
static void look_at_lock(struct doctor *doctor, struct findings *findings)
{
    struct arena *arena = doctor->arena;
    const char *path = arena_print(arena, "%s-gate", doctor->database);
    struct timespec pause = {0, LOCK_PAUSE_NS};
    if (access(path, F_OK) != 0)
        return;
    bool free_now = false;
    for (int i = 0; i < LOCK_TRIES && !free_now; i++) {
        free_now = !shared_file_is_locked(doctor->database, "-gate", 0);
        if (!free_now)
            nanosleep(&pause, NULL);
    }
    if (free_now) {
        findings_add(findings, FINDING_OK, "lock", NULL, "writers do not wait for each other");
        return;
    }
    struct holder holder = holders_find(arena, path, 0, 0);
    findings_add(findings, FINDING_WARNING, "lock", check_workers_fix_by_ending(arena, &holder),
                 "%s has held the writer lock for a whole second",
                 check_workers_name_holder(arena, &holder));
}

void check_workers(struct doctor *doctor, const struct named_user *expected,
                   struct findings *findings)
{
    look_at_processes(doctor, expected, findings);
    look_at_lock(doctor, findings);
}
