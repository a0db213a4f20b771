/* Checks the workers: their user and their logbook, by the systemd units as written, and by the
 * running processes (machine.c finds both). Also the units' settings, sockets and port, a lock that
 * keeps writers waiting, and whether the programs are those of a release. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/format.h"
#include "doctor/checks.h"
#include "installation.h"
#include "worker/instance.h"
#include "worker/settings.h"

#define CLUSTER "qsosync-cluster.socket"
#define ENABLED "/etc/systemd/system/sockets.target.wants/" CLUSTER /* leads to its unit */
#define WRITE_LOCK 120 /* byte of the -shm file: https://www.sqlite.org/walformat.html */
#define SYSTEMD "/run/systemd/system" /* is there while it runs */

/* The workers of the API and of the pages, in the order of enum worker_program. */
static const struct kind {
    const char *check, *running, *socket, *service, *program, *none;
} kinds[] = {
    {"socket", "workers", "qsosync.socket", "qsosync.service", QSOSYNC_WORKER,
     "no worker is running"},
    {"pages", "pages", "qsosync-site.socket", "qsosync-site.service", QSOSYNC_SITE_WORKER,
     "no page worker is running"},
};
#define KINDS (sizeof kinds / sizeof *kinds)

/* Whether the unit of this name gives its program the logbook. */
static bool serves(struct examination *seen, const char *name)
{
    return units_use_logbook(units_read(seen->arena, name), seen->path);
}

/* The socket's unit, if it is to serve this logbook; or else NULL. */
static const struct unit *find_wanted(struct examination *seen, const struct kind *kind)
{
    const struct unit *unit = units_read(seen->arena, kind->socket);
    return unit->port && *unit->port == '/' && serves(seen, kind->service) ? unit : NULL;
}

static bool is_ours(struct examination *seen, const struct worker *worker)
{
    const char *logbook = worker->logbook ? worker->logbook : QSOSYNC_DEFAULT_DB;
    return worker->user == seen->workers.id &&
           (worker->path ? folder_is_same(logbook, seen->path)
                         : serves(seen, kinds[worker->program].service));
}

const char *workers_find_other(struct examination *seen, bool running)
{
    for (size_t i = 0; i < KINDS; i++) {
        const char *other = units_value(units_read(seen->arena, kinds[i].service), "QSOSYNC_DB=");
        if (other && !folder_is_same(other, seen->path))
            return other;
    }
    for (struct worker *worker = running ? seen->running : NULL; worker; worker = worker->next)
        if (worker->logbook && worker->user == seen->workers.id &&
            !folder_is_same(worker->logbook, seen->path))
            return worker->logbook;
    return NULL;
}

const char *workers_command(struct examination *seen, const char *command)
{
    return print(seen, "runuser -u %s -- qsosync-admin --db %s %s", quote(seen, seen->workers.name),
                 seen->quoted, command);
}

/* Whether a shell command about the unit, which the format names, succeeds where systemd runs. */
static bool systemd_says(struct examination *seen, const char *format, const char *name)
{
    const char *unit = instance_adapt(seen->arena, name);
    return access(SYSTEMD, F_OK) == 0 &&
           system(print(seen, "name=%s; %s", quote(seen, unit), format)) == 0;
}

/* If a restart does not help, systemd's journal has the cause. A service that cannot start is never
 * "failed", because systemd tries again. */
static const char *fix_by_restart(struct examination *seen, const char *service, const char *names)
{
    const char *restart = print(seen, "systemctl restart %s", names);
    const bool has_failed = systemd_says(
        seen, "systemctl show -P Result \"$name\" 2> /dev/null | grep -qvx success", service);
    return has_failed
               ? print(seen, "fix what journalctl -u %s -n 20 reports, then %s", service, restart)
               : restart;
}

/* A masked unit is a link to nothing, which hides the shipped file. */
static bool is_masked(struct examination *seen, const char *name)
{
    char target[sizeof "/dev/null"] = "";
    const char *path = print(seen, "/etc/systemd/system/%s", instance_adapt(seen->arena, name));
    return readlink(path, target, sizeof target) == (ssize_t)strlen("/dev/null") &&
           memcmp(target, "/dev/null", strlen("/dev/null")) == 0;
}

const char *workers_fix_by_timer(struct examination *seen, const char *name, const char *otherwise)
{
    const char *before = "", *timer = print(seen, "%s.timer", name);
    if (strcmp(seen->doctor->database, QSOSYNC_DEFAULT_DB) != 0 || access(SYSTEMD, F_OK) != 0)
        return otherwise;
    if (is_masked(seen, timer) || is_masked(seen, print(seen, "%s.service", name)))
        before = print(seen, "systemctl unmask %s %s.service && ", timer, name);
    else if (!units_read(seen->arena, timer)->path)
        before =
            print(seen, "cp " QSOSYNC_SHARED_FILES "/service/%s.* /etc/systemd/system/ && ", name);
    return print(seen, "%ssystemctl enable --now %s && systemctl start %s.service", before, timer,
                 name);
}

/* The doctor cannot know which logbook is the right one. A missing one means a mistyped name. */
static bool serves_our_logbook(struct examination *seen, const char *name)
{
    const struct unit *unit = units_read(seen->arena, name);
    const char *other = units_value(unit, "QSOSYNC_DB=");
    if (!other || units_use_logbook(unit, seen->path))
        return true;
    const char *file = units_find(unit, "QSOSYNC_DB=")->file;
    if (access(other, F_OK) == 0)
        return found_with(seen, WORKERS_SERVE_ANOTHER, examination_fix_for_other(seen, other), name,
                          other, file);
    return found_with(seen, SETTINGS_NAME_NONE, print(seen, SETTINGS_NAME_NONE_FIX, file, name),
                      file, other, seen->doctor->database);
}

/* Checks the settings of a unit for wrong values, with which no worker starts, and misspelt names.
 * False: a wrong value. src/worker/settings.c has the rules. */
static bool check_settings(struct examination *seen, const char *name, const char *restarted)
{
    bool right = true;
    const struct unit *unit = units_read(seen->arena, name);
    for (const struct variable *set = unit->variables; set; set = set->next) {
        struct buffer why = {0};
        enum setting_fault fault = SETTING_FINE;
        if (units_use_logbook(unit, seen->path) && units_find(unit, set->assignment) == set)
            fault = settings_judge(set->assignment, &why);
        const char *fix = print(seen, SETTINGS_WRONG_FIX, set->file, restarted);
        if (fault == SETTING_UNKNOWN)
            found_with(seen, SETTINGS_UNKNOWN, fix, set->file, (int)why.length, why.bytes);
        else if (fault == SETTING_WRONG)
            right = found_with(seen, SETTINGS_WRONG, fix, set->file, (int)why.length, why.bytes);
        buffer_free(&why);
    }
    return right;
}

/* -- Sockets ----------------------------------------------------------------------------------- */

#define SOCKET_PATH_MAX (sizeof(((struct sockaddr_un *)NULL)->sun_path) - 1)

static bool answers(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (!format_whole(address.sun_path, sizeof address.sun_path, "%s", path)) {
        errno = ENAMETOOLONG;
        return false;
    }
    int socket_file = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    bool connected =
        connect(socket_file, (struct sockaddr *)&address, sizeof address) == 0 || errno == EAGAIN;
    int error = errno;
    close(socket_file);
    errno = error;
    return connected;
}

bool workers_are_reached(struct examination *seen)
{
    const struct unit *unit = find_wanted(seen, kinds);
    const struct folder_ids before = rights_regain();
    const bool is_reached = unit && answers(unit->port);
    folder_act_as(before);
    return is_reached;
}

static bool can_be_named(struct examination *seen, const struct kind *kind, const struct unit *unit)
{
    return strlen(unit->port) <= SOCKET_PATH_MAX ||
           trouble(
               seen, kind->check,
               print(seen,
                     "shorten ListenStream (systemctl edit --full %s), and the same path in "
                     "the configuration of the web server",
                     kind->socket),
               "systemd cannot listen on %s: the path has %zu bytes, but at most %zu are possible",
               unit->port, strlen(unit->port), SOCKET_PATH_MAX);
}

/* Their folder goes with the sockets, so that all that are missing have one cause. */
static bool are_there(struct examination *seen)
{
    const char *check = NULL, *path = NULL, *names = "";
    for (const struct kind *kind = kinds; kind < kinds + KINDS; kind++) {
        const struct unit *unit = find_wanted(seen, kind);
        if (unit && !can_be_named(seen, kind, unit))
            return false;
        if (!unit || access(unit->port, F_OK) == 0 || errno != ENOENT)
            continue;
        names = print(seen, "%s %s %s", names, kind->socket, kind->service);
        check = check ? check : kind->check;
        path = path ? path : unit->port;
    }
    return !path ||
           trouble(seen, check,
                   print(seen, "systemctl enable%s && systemctl restart%s", names, names),
                   "%s: %s, so web servers cannot reach the workers", path, strerror(ENOENT));
}

static bool look_at_socket(struct examination *seen, const struct kind *kind, const char *path)
{
    const char *names = print(seen, "%s %s", kind->socket, kind->service);
    const char *fix = fix_by_restart(seen, kind->service, names);
    if (!fronts_may(seen, kind->check, fix, "use", path, R_OK | W_OK))
        return false;
    if (!answers(path) && errno != EACCES)
        return trouble(seen, kind->check, fix, "nothing is listening on %s: %s", path,
                       strerror(errno));
    return fine(seen, kind->check, "%s is there", path);
}

/* -- Workers ----------------------------------------------------------------------------------- */

/* Several installations may share a machine; workers that run as the logbook's user belong to this
 * one. */
static void report_none(struct examination *seen, const struct kind *kind)
{
    const char *other = workers_find_other(seen, true);
    if (serves(seen, kind->service))
        trouble(seen, kind->running, fix_by_restart(seen, kind->service, kind->service), "%s",
                kind->none);
    else if (kind == kinds && other)
        found_with(seen, WORKERS_SERVE_OTHERS, examination_fix_for_other(seen, other),
                   seen->doctor->database, other);
    else if (kind == kinds)
        found(seen, WORKERS_UNSEEN);
}

static void report_workers(struct examination *seen, const struct kind *kind, bool has_socket)
{
    int running = 0, old = 0;
    const char *path = NULL; /* program of an old worker */
    for (struct worker *worker = seen->running; worker; worker = worker->next)
        if (&kinds[worker->program] == kind && is_ours(seen, worker)) {
            running++;
            old += worker->is_old;
            path = worker->is_old ? worker->path : path;
        }
    if (old > 0)
        warn(seen, kind->running, print(seen, "systemctl restart %s", kind->service),
             "%d of the workers run an older program than the file %s", old, path);
    else if (running > 0)
        fine(seen, kind->running, "%d run%s", running, running == 1 ? "s" : "");
    else if (has_socket)
        report_none(seen, kind);
}

static bool are_unmasked(struct examination *seen)
{
    const char *names = "";
    for (const struct kind *kind = kinds; kind < kinds + KINDS && !*examination_option(seen);
         kind++) {
        names = is_masked(seen, kind->socket) ? print(seen, "%s %s", names, kind->socket) : names;
        names = is_masked(seen, kind->service) ? print(seen, "%s %s", names, kind->service) : names;
    }
    return !*names ||
           found_with(seen, UNITS_MASKED, print(seen, UNITS_MASKED_FIX, names, names), names);
}

/* Either the socket or the service is enough: each starts the other one. */
static void look_at_boot(struct examination *seen)
{
    static const char *const is_disabled = "! systemctl is-enabled --quiet \"$name\" 2> /dev/null";
    const char *names = "";
    for (const struct kind *kind = kinds; kind < kinds + KINDS; kind++)
        if (find_wanted(seen, kind) && systemd_says(seen, is_disabled, kind->socket) &&
            systemd_says(seen, is_disabled, kind->service))
            names = print(seen, "%s %s %s", names, kind->socket, kind->service);
    if (*names)
        found_with(seen, UNITS_DISABLED, print(seen, UNITS_DISABLED_FIX, names), names);
}

static bool check_units(struct examination *seen)
{
    bool right = check_settings(seen, "qsosync-cluster@.service", CLUSTER);
    for (const struct kind *kind = kinds; kind < kinds + KINDS; kind++)
        right = serves_our_logbook(seen, kind->service) &&
                check_settings(seen, kind->service, kind->service) && right;
    if (!right || !are_unmasked(seen))
        return false;
    const struct unit *unit = find_wanted(seen, kinds);
    const char *folder = unit ? folder_of(unit->port, seen->arena) : NULL;
    /* Made when a socket begins to listen, and not made open again after that. */
    const char *open = print(seen, "chmod go+x %s", folder ? quote(seen, folder) : "");
    if (!are_there(seen) || (folder && !fronts_may(seen, "socket", open, "enter", folder, X_OK)))
        return true;
    for (const struct kind *kind = kinds; kind < kinds + KINDS; kind++) {
        unit = find_wanted(seen, kind);
        report_workers(seen, kind, !unit || look_at_socket(seen, kind, unit->port));
    }
    look_at_boot(seen);
    return true;
}

/* systemd listens at its port: no connection is made, for which it would start a program. */
static void check_cluster(struct examination *seen)
{
    const struct unit *unit = units_read(seen->arena, CLUSTER);
    const char *colon = unit->port ? strrchr(unit->port, ':') : NULL;
    unsigned long port = unit->port ? strtoul(colon ? colon + 1 : unit->port, NULL, 10) : 0;
    struct stat link;
    if (strcmp(seen->doctor->database, QSOSYNC_DEFAULT_DB) != 0 || lstat(ENABLED, &link) != 0 ||
        port == 0)
        return;
    if (!processes_is_port_open(seen->arena, (unsigned)port))
        found(seen, CLUSTER_SILENT, port);
    else if (systemd_says(seen, "! systemctl is-active --quiet \"$name\" 2> /dev/null", CLUSTER))
        found(seen, CLUSTER_PORT_TAKEN, port);
    else
        found(seen, CLUSTER_LISTENS, port);
}

/* -- Locks ------------------------------------------------------------------------------------- */

/* A write takes some milliseconds. A process that keeps the lock for a second is stuck, or is a
 * shell in which somebody has forgotten a transaction. */
void workers_find_writer(struct examination *seen)
{
    int file = folder_open_file(print(seen, "%s-shm", seen->path), O_RDONLY);
    for (int tenths_s = 0; file >= 0 && tenths_s <= 10; tenths_s++) {
        struct flock lock = {
            .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = WRITE_LOCK, .l_len = 1};
        bool is_locked = fcntl(file, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
        pid_t writer = !is_locked ? 0 : lock.l_pid > 0 ? lock.l_pid : -1;
        seen->writer = tenths_s == 0 || writer == seen->writer ? writer : 0;
        if (seen->writer == 0)
            break;
        nanosleep(&(struct timespec){0, 100000000}, NULL);
    }
    if (file >= 0)
        close(file);
}

/* A long-running command of our own need not be stopped. */
static void look_at_lock(struct examination *seen)
{
    const long process = (long)seen->writer;
    const char *name = process > 0 ? processes_name(seen->arena, seen->writer) : NULL;
    const char *fix =
        process > 0 ? print(seen, "kill %ld", process) : "run doctor as root to see the process";
    if (process == 0 || (name && strncmp(name, "qsosync-admin", 13) == 0)) {
        found(seen, LOCK_FREE);
        return;
    }
    for (struct worker *worker = seen->running; worker; worker = worker->next)
        if (worker->pid == seen->writer)
            fix = print(seen, "systemctl restart %s", kinds[worker->program].service);
    found_with(seen, LOCK_KEPT, fix,
               name ? print(seen, "process %ld (%s)", process, name)
                    : "a process that this user may not see");
}

/* -- Programs of a release --------------------------------------------------------------------- */

#define PROGRAM_LIST "programs.sha256"

/* Whether the list has the checksum of this file under any name. A file that cannot be read does
 * not raise an alarm. */
static bool is_listed(struct examination *seen, const char *list, const char *path)
{
    return access(path, R_OK) != 0 ||
           system(print(seen, "sha256sum < %s | cut -c 1-64 | grep -qF -f - %s", quote(seen, path),
                        quote(seen, list))) == 0;
}

/* Checks this command and the workers; if this user may not see a worker's program, the installed
 * one is checked. The list comes from the archive of portable programs, next to this program, or
 * else from the package. Programs built here have no list. A list is as trustworthy as its source:
 * qsosync-security(7) describes how to check a release. */
static void look_at_programs(struct examination *seen)
{
    char *real = realpath("/proc/self/exe", NULL);
    const char *own = print(seen, "%s", real ? real : "");
    free(real);
    const char *path = print(seen, "%s" PROGRAM_LIST, folder_of(own, seen->arena));
    if (access(path, F_OK) != 0)
        path = QSOSYNC_SHARED_FILES "/" PROGRAM_LIST;
    const char *list = files_read(seen->arena, path, NULL);
    if (!list) {
        found(seen, PROGRAMS_BUILT_HERE);
        return;
    }
    const char *other = is_listed(seen, path, own) ? NULL : own;
    for (struct worker *worker = seen->running; worker && !other; worker = worker->next) {
        const char *program = worker->path ? worker->path : kinds[worker->program].program;
        if (!worker->is_old && is_ours(seen, worker) && !is_listed(seen, path, program))
            other = program;
    }
    int title = strncmp(list, "# ", 2) == 0 ? (int)strcspn(list + 2, "\n") : 0;
    if (other)
        found(seen, PROGRAMS_CHANGED, other, title, list + 2, path);
    else
        found(seen, PROGRAMS_LISTED, title, list + 2, path);
}

void workers_check(struct examination *seen)
{
    if (check_units(seen))
        look_at_lock(seen);
    look_at_programs(seen);
    check_cluster(seen);
}
