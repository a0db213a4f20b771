/* Who the workers of the logbook are and which logbook they serve, whether somebody keeps a lock
 * that writers need, and whether the programs are those of a release. Whether workers run is looked
 * at in check_units.c; what can be seen of processes is read by machine.c. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/api_key.h"
#include "base/folder.h"
#include "doctor/machine.h"
#include "installation.h"

/* Bytes of the -shm file: https://www.sqlite.org/walformat.html */
#define WRITE_LOCK 120
#define READ_LOCK_FIRST 123
#define READ_LOCK_LAST 127

/* In the order of enum worker_program. */
static const char *const units[] = {"qsosync.service", "qsosync-site.service"};

bool workers_are_ours(struct examination *seen, const struct worker *worker)
{
    const char *logbook = worker->logbook ? worker->logbook : QSOSYNC_DEFAULT_DB;
    return worker->user == seen->workers.id &&
           (worker->path
                ? folder_is_same(logbook, seen->path)
                : units_use_logbook(units_read(seen->arena, units[worker->program]), seen->path));
}

void workers_find_user(struct examination *seen)
{
    struct stat status;
    const struct unit *unit = units_read(seen->arena, units[WORKER_API]);
    if (units_use_logbook(unit, seen->path) && unit->user &&
        users_find(seen->arena, unit->user, &seen->workers))
        return;
    uid_t owner = stat(seen->folder, &status) == 0 ? status.st_uid : geteuid();
    if (owner == 0 && stat(seen->path, &status) == 0)
        owner = status.st_uid;
    const char *name = users_name(seen->arena, owner);
    if (!users_find(seen->arena, name, &seen->workers))
        seen->workers = (struct user){.id = owner, .name = name};
}

const char *workers_find_other(struct examination *seen, bool running)
{
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        const struct unit *unit = units_read(seen->arena, units[i]);
        const char *named = units_variable(unit, "QSOSYNC_DB", NULL);
        if (unit->path && named && !folder_is_same(named, seen->path))
            return named;
    }
    for (struct worker *worker = running ? seen->running : NULL; worker; worker = worker->next)
        if (worker->logbook && worker->user == seen->workers.id &&
            !folder_is_same(worker->logbook, seen->path))
            return worker->logbook;
    return NULL;
}

const char *workers_fix_for_logbook(struct examination *seen)
{
    return print(seen, "runuser -u %s -- qsosync-admin --db %s doctor",
                 quote(seen, seen->workers.name), seen->quoted);
}

/* -- Locks ------------------------------------------------------------------------------------- */

const char *workers_fix_by_ending(struct examination *seen, const struct process *process)
{
    if (process->pid < 0)
        return "run doctor as root, which sees the process";
    for (struct worker *worker = seen->running; worker; worker = worker->next)
        if (worker->pid == process->pid)
            return print(seen, "systemctl restart %s", units[worker->program]);
    return print(seen, "kill %ld", (long)process->pid);
}

/* A write takes some milliseconds. Who keeps the lock for a second is stuck, or a shell in which
 * somebody has forgotten a transaction; a long work of the command itself is none. */
void workers_find_locks(struct examination *seen)
{
    const char *path = print(seen, "%s-shm", seen->path);
    seen->writer = processes_find_lock(seen->arena, path, WRITE_LOCK, 10);
    if (seen->writer.name && strncmp(seen->writer.name, "qsosync-admin", 13) == 0)
        seen->writer.pid = 0;
    for (off_t byte = READ_LOCK_FIRST; byte <= READ_LOCK_LAST && !seen->reader.pid; byte++)
        seen->reader = processes_find_lock(seen->arena, path, byte, 2);
}

static void look_at_lock(struct examination *seen)
{
    if (seen->writer.pid)
        warn(seen, "lock", workers_fix_by_ending(seen, &seen->writer),
             "%s has kept everybody else from writing for a whole second; what it has not "
             "committed goes with it",
             processes_name(seen->arena, &seen->writer));
    else
        fine(seen, "lock", "writers do not wait for each other");
}

/* -- Programs of a release --------------------------------------------------------------------- */

#define PROGRAM_LIST "programs.sha256"

/* Whether the list has the sum of this file, whatever name it has there; one that cannot be read is
 * no reason for an alarm. */
static bool is_listed(const char *list, const char *path)
{
    unsigned char sum[API_KEY_FINGERPRINT_BYTES];
    char digits[2 * sizeof sum + 1] = "";
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
    text_format_hex(sum, sizeof sum, digits);
    return strstr(list, digits) != NULL;
}

/* The first program that the list lacks, of this command and the workers; NULL: there is none. A
 * worker whose program this user may not see runs what is installed; that a program was replaced is
 * told elsewhere. */
static const char *find_unlisted(struct examination *seen, const char *list, const char *own)
{
    static const char *const installed[] = {QSOSYNC_WORKER, QSOSYNC_SITE_WORKER};
    if (!is_listed(list, own))
        return own;
    for (struct worker *worker = seen->running; worker; worker = worker->next) {
        const char *path = worker->path ? worker->path : installed[worker->program];
        if (!worker->is_old && workers_are_ours(seen, worker) && !is_listed(list, path))
            return path;
    }
    return NULL;
}

/* The list is the package's or, beside this program, that of an archive of portable ones. Who built
 * the programs here has none. It is as good as where it came from: qsosync-security(7) says how a
 * release is checked before it is installed. */
static void look_at_programs(struct examination *seen)
{
    char *real = realpath("/proc/self/exe", NULL);
    const char *own = print(seen, "%s", real ? real : "");
    free(real);
    const char *path = print(seen, "%s" PROGRAM_LIST, folder_of(own, seen->arena));
    const char *list = files_read(seen->arena, path, NULL);
    if (!list) {
        path = QSOSYNC_SHARED_FILES "/" PROGRAM_LIST;
        list = files_read(seen->arena, path, NULL);
    }
    if (!list) {
        fine(seen, "programs", "built on this machine, and of no release");
        return;
    }
    int title = strncmp(list, "# ", 2) == 0 ? (int)strcspn(list + 2, "\n") : 0;
    const char *other = find_unlisted(seen, list, own);
    if (other)
        warn(seen, "programs",
             "find out who replaced it, then install the release again, checked as "
             "qsosync-security(7) says",
             "%s is not the program of %.*s that %s lists", other, title, list + 2, path);
    else
        fine(seen, "programs", "the running ones are those of %.*s, as %s lists them", title,
             list + 2, path);
}

void workers_check(struct examination *seen)
{
    if (units_check(seen))
        look_at_lock(seen);
    look_at_programs(seen);
    units_check_installed(seen);
}
