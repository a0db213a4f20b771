/* Checks of the workers that run on this machine: which user they are, which logbook they serve,
 * whether their program was replaced, whether it is that of a release, and whether somebody keeps a
 * lock that writers need. What can be seen of processes is read by machine.c. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "base/api_key.h"
#include "base/folder.h"
#include "base/shared_file.h"
#include "doctor/machine.h"
#include "installation.h"
#include "worker/instance.h"

#define LOCK_TRIES 20
#define LOCK_PAUSE_NS 50000000 /* a write takes some milliseconds */
#define WRITE_LOCK 120 /* the byte of the -shm file: https://www.sqlite.org/walformat.html */

/* In the order of enum worker_program. */
static const char *const units[] = {"qsosync.service", "qsosync-site.service"};
static const char *const checks[] = {"workers", "pages"};

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
           (status.st_uid == worker->runs_as.id ||
            (!(status.st_mode & 02) && users_may(&worker->runs_as, &status, R_OK | W_OK | X_OK)));
}

void workers_find_user(struct doctor *doctor, const char *folder, struct user *out)
{
    struct stat status;
    struct unit unit;
    units_read(doctor->arena, units[WORKER_API], &unit);
    if (units_use_logbook(&unit, doctor->database) && unit.user &&
        users_find(doctor->arena, unit.user, out))
        return;
    for (struct worker *worker = processes_find_workers(doctor->arena); worker;
         worker = worker->next)
        if (!worker->is_closed && serves(worker, doctor->database) && may_use(worker, folder)) {
            *out = worker->runs_as;
            return;
        }
    uid_t owner = stat(folder, &status) == 0 ? status.st_uid : geteuid();
    if (owner == 0 && stat(doctor->database, &status) == 0)
        owner = status.st_uid;
    const char *name = users_name(doctor->arena, owner);
    if (!users_find(doctor->arena, name, out))
        *out = (struct user){.id = owner, .name = name};
}

const char *workers_find_other(struct doctor *doctor, const struct user *user, const char **file)
{
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        struct unit unit;
        units_read(doctor->arena, units[i], &unit);
        const char *named = units_variable(&unit, "QSOSYNC_DB", file);
        if (unit.path && named && !folder_is_same(named, doctor->database))
            return named;
    }
    if (file)
        *file = NULL;
    for (struct worker *worker = user ? processes_find_workers(doctor->arena) : NULL; worker;
         worker = worker->next)
        if (worker->logbook && worker->runs_as.id == user->id &&
            !folder_is_same(worker->logbook, doctor->database))
            return worker->logbook;
    return NULL;
}

const char *workers_fix_for_logbook(struct doctor *doctor)
{
    struct user user;
    workers_find_user(doctor, folder_of(doctor->database, doctor->arena), &user);
    return arena_print(doctor->arena, "runuser -u %s -- qsosync-admin --db %s doctor",
                       shell_quote(doctor->arena, user.name),
                       shell_quote(doctor->arena, doctor->database));
}

/* -- Processes --------------------------------------------------------------------------------- */

struct count {
    int running, old;
    const char *path;
};

/* A process that is closed to this user serves what the unit says. */
static struct count count_workers(const struct examination *seen, enum worker_program program)
{
    struct count count = {0, 0, NULL};
    struct unit unit;
    units_read(seen->arena, units[program], &unit);
    bool unit_serves = units_use_logbook(&unit, seen->doctor->database);
    for (struct worker *worker = processes_find_workers(seen->arena); worker; worker = worker->next)
        if (worker->program == program && worker->runs_as.id == seen->workers.id &&
            (worker->is_closed ? unit_serves : serves(worker, seen->doctor->database))) {
            count.running++;
            count.old += worker->is_old;
            count.path = worker->is_old || !count.path ? worker->path : count.path;
        }
    return count;
}

/* What a restart does not mend is said by systemd's journal. */
static const char *fix_by_restart(const struct examination *seen, const char *unit)
{
    const char *ask = instance_adapt(
        seen->arena, arena_print(seen->arena, "systemctl is-failed --quiet %s 2> /dev/null", unit));
    if (access("/run/systemd/system", F_OK) == 0 && system(ask) == 0)
        return arena_print(seen->arena,
                           "mend what journalctl -u %s -n 20 says, then systemctl restart %s", unit,
                           unit);
    return arena_print(seen->arena, "systemctl restart %s", unit);
}

/* Several installations may share a machine; workers of the logbook's own user are of this one. */
static void report_none(const struct examination *seen, enum worker_program program)
{
    struct unit unit;
    const char *other = workers_find_other(seen->doctor, &seen->workers, NULL);
    units_read(seen->arena, units[program], &unit);
    if (units_use_logbook(&unit, seen->doctor->database) &&
        (program == WORKER_API || unit.by_operator || unit.enabled))
        findings_trouble(seen->doctor, checks[program], fix_by_restart(seen, units[program]),
                         program == WORKER_API ? "none runs" : "no worker of the pages runs");
    else if (program == WORKER_API && other)
        findings_warn(seen->doctor, "workers",
                      arena_print(seen->arena, "qsosync-admin --db %s doctor",
                                  shell_quote(seen->arena, other)),
                      "no worker serves %s; those that run serve another logbook, %s",
                      seen->doctor->database, other);
    else if (program == WORKER_API)
        findings_fine(seen->doctor, "workers",
                      "this user sees none that runs; a web server may start them");
}

/* Counted before the sockets are tried, for which systemd would start them. A socket that is
 * missing explains why none runs. */
static void look_at_processes(const struct examination *seen)
{
    const struct count counts[] = {count_workers(seen, WORKER_API),
                                   count_workers(seen, WORKER_SITE)};
    if (!units_check_folder(seen->doctor))
        return;
    for (int i = WORKER_API; i <= WORKER_SITE; i++) {
        bool reached = units_check_socket(seen->doctor, (enum worker_program)i);
        if (counts[i].old > 0)
            findings_warn(seen->doctor, checks[i],
                          arena_print(seen->arena, "systemctl restart %s", units[i]),
                          "%d of the workers run an older program than the file %s", counts[i].old,
                          counts[i].path);
        else if (counts[i].running > 0)
            findings_fine(seen->doctor, checks[i], "%d run%s", counts[i].running,
                          counts[i].running == 1 ? "s" : "");
        else if (reached)
            report_none(seen, (enum worker_program)i);
    }
}

/* -- Locks ------------------------------------------------------------------------------------- */

const char *workers_fix_by_ending(struct arena *arena, const struct process *process)
{
    if (!process->pid)
        return "run doctor as root, which sees the process";
    for (struct worker *worker = processes_find_workers(arena); worker; worker = worker->next)
        if (worker->pid == process->pid)
            return arena_print(arena, "systemctl restart %s", units[worker->program]);
    return arena_print(arena, "kill %ld", (long)process->pid);
}

/* Who writes by SQLite alone, a shell for instance, lets a worker wait, which holds the writer lock
 * meanwhile. */
static bool is_free_of_shells(const struct examination *seen)
{
    const char *path = arena_print(seen->arena, "%s-shm", seen->path);
    struct timespec rest = {0, LOCK_TRIES * (LOCK_PAUSE_NS - 15000000)};
    struct process holder = processes_find_lock(seen->arena, path, WRITE_LOCK, WRITE_LOCK, true);
    if (!holder.pid)
        return true;
    nanosleep(&rest, NULL);
    struct process later = processes_find_lock(seen->arena, path, WRITE_LOCK, WRITE_LOCK, true);
    return later.pid != holder.pid ||
           findings_warn(seen->doctor, "lock", workers_fix_by_ending(seen->arena, &holder),
                         "%s has kept everybody else from writing for a whole second; what it has "
                         "not committed goes with it",
                         processes_name(seen->arena, &holder));
}

/* The writer lock is held for one write at a time. A holder that keeps it is stuck. */
static void look_at_lock(const struct examination *seen)
{
    const char *path = arena_print(seen->arena, "%s-gate", seen->doctor->database);
    struct timespec pause = {0, LOCK_PAUSE_NS};
    if (access(path, F_OK) != 0 || !is_free_of_shells(seen))
        return;
    for (int i = 0; i < LOCK_TRIES; i++) {
        if (!shared_file_is_locked(seen->doctor->database, "-gate", 0)) {
            findings_fine(seen->doctor, "lock", "writers do not wait for each other");
            return;
        }
        nanosleep(&pause, NULL);
    }
    struct process holder = processes_find_lock(seen->arena, path, 0, 0, true);
    findings_warn(seen->doctor, "lock", workers_fix_by_ending(seen->arena, &holder),
                  "%s has held the writer lock for a whole second",
                  processes_name(seen->arena, &holder));
}

/* -- Programs of a release --------------------------------------------------------------------- */

#define PROGRAM_LIST "programs.sha256"

/* Whether the list has the sum of this file, whatever name it has there; one that cannot be read is
 * no reason for an alarm. */
static bool is_listed(const char *list, const char *path)
{
    unsigned char sum[API_KEY_FINGERPRINT_BYTES];
    char digits[2 * sizeof sum + 1];
    struct stat status;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    size_t size = file >= 0 && fstat(file, &status) == 0 ? (size_t)status.st_size : 0;
    void *bytes = size > 0 ? mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
    if (file >= 0)
        close(file);
    if (bytes == MAP_FAILED)
        return true;
    api_key_fingerprint((struct text){bytes, size}, sum);
    munmap(bytes, size);
    for (size_t i = 0; i < sizeof sum; i++)
        snprintf(digits + 2 * i, 3, "%02x", sum[i]);
    return strstr(list, digits) != NULL;
}

/* The program of a worker that does not run the list's; NULL: there is none. A process that is
 * closed to this user runs what is installed; that a program was replaced is told elsewhere. */
static const char *find_unlisted(const struct examination *seen, const char *list)
{
    static const char *const installed[] = {QSOSYNC_WORKER, QSOSYNC_SITE_WORKER};
    const char *former = NULL;
    for (struct worker *worker = processes_find_workers(seen->arena); worker;
         worker = worker->next) {
        const char *path = worker->path ? worker->path : installed[worker->program];
        if (worker->is_old || worker->runs_as.id != seen->workers.id ||
            (worker->path && !serves(worker, seen->doctor->database)) ||
            (former && strcmp(former, path) == 0))
            continue;
        if (!is_listed(list, path))
            return path;
        former = path;
    }
    return NULL;
}

/* The list is the package's or, beside this program, that of an archive of portable ones. Who built
 * the programs here has none. It is as good as where it came from: qsosync-security(7) says how a
 * release is checked before it is installed. */
static void look_at_programs(const struct examination *seen)
{
    size_t length;
    char *own = realpath("/proc/self/exe", NULL);
    const char *path =
        own ? arena_print(seen->arena, "%s" PROGRAM_LIST, folder_of(own, seen->arena)) : "";
    char *list = processes_read_file(seen->arena, path, &length);
    if (!list) {
        path = QSOSYNC_SHARED_FILES "/" PROGRAM_LIST;
        list = processes_read_file(seen->arena, path, &length);
    }
    int title = list && strncmp(list, "# ", 2) == 0 ? (int)strcspn(list + 2, "\n") : 0;
    const char *other = !list || !own           ? NULL
                        : !is_listed(list, own) ? arena_print(seen->arena, "%s", own)
                                                : find_unlisted(seen, list);
    free(own);
    if (!list)
        findings_fine(seen->doctor, "programs", "built on this machine, and of no release");
    else if (other)
        findings_warn(seen->doctor, "programs",
                      "find out who replaced it, then install the release again, checked as "
                      "qsosync-security(7) says",
                      "%s is not the program of %.*s that %s lists", other, title, list + 2, path);
    else
        findings_fine(seen->doctor, "programs",
                      "the running ones are those of %.*s, as %s lists them", title, list + 2,
                      path);
}

void workers_check(struct examination *seen)
{
    if (units_may_start(seen->doctor)) {
        look_at_processes(seen);
        look_at_lock(seen);
    }
    look_at_programs(seen);
    units_check_installed(seen->doctor);
}
