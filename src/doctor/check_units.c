/* Checks of the shipped units of systemd and of what they start: which logbook and settings they
 * give their programs, their sockets and port, whether workers run, and run the program that is
 * there now, and whether QSOsync is installed twice. Units are read as they are written, and
 * processes found, by machine.c. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/folder.h"
#include "doctor/machine.h"
#include "installation.h"
#include "worker/instance.h"
#include "worker/settings.h"

#define FRONT_USER "www-data"
#define CLUSTER "qsosync-cluster.socket"

/* The workers of the API and of the pages, in the order of enum worker_program. */
static const struct kind {
    const char *check, *running, *socket, *service;
} kinds[] = {{"socket", "workers", "qsosync.socket", "qsosync.service"},
             {"pages", "pages", "qsosync-site.socket", "qsosync-site.service"}};
#define KINDS (sizeof kinds / sizeof *kinds)

/* Whether units of this logbook are to serve it so; of the pages, if somebody has enabled them. */
static bool is_wanted(struct doctor *doctor, const struct kind *kind, struct unit *socket_unit)
{
    struct unit service;
    units_read(doctor->arena, kind->service, &service);
    units_read(doctor->arena, kind->socket, socket_unit);
    return socket_unit->port && *socket_unit->port == '/' &&
           units_use_logbook(&service, doctor->database) &&
           (kind == kinds || socket_unit->by_operator || socket_unit->enabled);
}

/* -- Fixes ------------------------------------------------------------------------------------- */

/* Those of the kind's units that somebody has masked, each after a blank: systemd never starts
 * them.
 */
static const char *find_masked(struct doctor *doctor, const struct kind *kind)
{
    const char *const names[] = {kind->socket, kind->service};
    const char *masked = "";
    for (size_t i = 0; i < 2; i++) {
        struct unit unit;
        units_read(doctor->arena, names[i], &unit);
        if (unit.masked)
            masked = arena_print(doctor->arena, "%s %s", masked, names[i]);
    }
    return masked;
}

/* Each name has a blank before it. */
static const char *fix_by_start(struct doctor *doctor, const char *names, const char *masked,
                                bool enable)
{
    struct arena *arena = doctor->arena;
    return arena_print(arena, "%s%ssystemctl restart%s",
                       *masked ? arena_print(arena, "systemctl unmask%s && ", masked) : "",
                       *masked || enable ? arena_print(arena, "systemctl enable%s && ", names) : "",
                       names);
}

/* What a restart does not mend is said by systemd's journal. */
static const char *fix_by_restart(struct doctor *doctor, const struct kind *kind)
{
    struct arena *arena = doctor->arena;
    const char *unit = kind->service;
    const char *ask = arena_print(arena, "systemctl is-failed --quiet %s 2> /dev/null",
                                  instance_adapt(arena, unit));
    if (access("/run/systemd/system", F_OK) == 0 && system(ask) == 0)
        return arena_print(
            arena, "mend what journalctl -u %s -n 20 says, then systemctl restart %s", unit, unit);
    return fix_by_start(doctor, arena_print(arena, " %s", unit), find_masked(doctor, kind), false);
}

const char *units_fix_by_timer(struct doctor *doctor, const char *name, const char *otherwise)
{
    struct unit timer;
    struct arena *arena = doctor->arena;
    units_read(arena, arena_print(arena, "%s.timer", name), &timer);
    if (strcmp(doctor->database, QSOSYNC_DEFAULT_DB) != 0 ||
        access("/run/systemd/system", F_OK) != 0)
        return otherwise;
    const char *before =
        timer.masked ? arena_print(arena, "systemctl unmask %s.timer %s.service && ", name, name)
        : !timer.path
            ? arena_print(arena,
                          "cp " QSOSYNC_SHARED_FILES "/service/%s.* /etc/systemd/system/ && ", name)
            : "";
    return arena_print(arena, "%ssystemctl enable --now %s.timer && systemctl start %s.service",
                       before, name, name);
}

/* -- What keeps programs from starting, or from this logbook ----------------------------------- */

/* Which logbook is right is not known here. One that is not there is a mistyped name. */
static bool look_at_logbook_of(struct doctor *doctor, const struct unit *unit, const char *name)
{
    const char *file, *other = units_variable(unit, "QSOSYNC_DB", &file);
    if (!other || strchr(name, '@'))
        return true;
    if (access(other, F_OK) == 0)
        return findings_warn(doctor, "workers",
                             arena_print(doctor->arena, "qsosync-admin --db %s doctor",
                                         shell_quote(doctor->arena, other)),
                             "%s serves another logbook, %s, as %s says", name, other, file);
    return findings_trouble(doctor, "settings",
                            arena_print(doctor->arena,
                                        "correct QSOSYNC_DB in %s, then systemctl daemon-reload "
                                        "and systemctl restart %s",
                                        file, name),
                            "%s: QSOSYNC_DB is %s, which does not exist; %s was examined", file,
                            other, doctor->database);
}

static bool look_at_settings_of(struct doctor *doctor, const char *name, const char *restarted)
{
    struct unit unit;
    bool right = true;
    units_read(doctor->arena, name, &unit);
    if (unit.path && !units_use_logbook(&unit, doctor->database))
        return look_at_logbook_of(doctor, &unit, name);
    for (int i = 0; unit.variables[i]; i++) {
        struct buffer why = {0};
        enum setting_fault fault = settings_judge(unit.variables[i], &why);
        if (fault != SETTING_FINE)
            findings_add(
                doctor, fault == SETTING_WRONG ? FINDING_PROBLEM : FINDING_WARNING, "settings",
                arena_print(doctor->arena,
                            "correct it in %s, then systemctl daemon-reload and systemctl "
                            "restart %s",
                            unit.files[i], restarted),
                "%s: %.*s%s", unit.files[i], (int)why.length, why.bytes,
                fault == SETTING_WRONG ? ": no worker starts with this" : ": it has no effect");
        right = right && fault != SETTING_WRONG;
        buffer_free(&why);
    }
    return right;
}

/* -- Sockets ----------------------------------------------------------------------------------- */

static bool answers(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    int socket_file = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    bool connected =
        connect(socket_file, (struct sockaddr *)&address, sizeof address) == 0 || errno == EAGAIN;
    int error = errno;
    close(socket_file);
    errno = error;
    return connected;
}

bool units_are_reached(struct doctor *doctor)
{
    struct unit unit;
    return is_wanted(doctor, kinds, &unit) && answers(unit.port);
}

/* Their folder goes with the sockets, so that all that are missing have one cause. */
static bool are_there(struct doctor *doctor)
{
    struct arena *arena = doctor->arena;
    const char *check = NULL, *path = NULL, *names = "", *masked = "";
    for (const struct kind *kind = kinds; kind < kinds + KINDS; kind++) {
        struct unit unit;
        if (!is_wanted(doctor, kind, &unit) || access(unit.port, F_OK) == 0 || errno != ENOENT)
            continue;
        names = arena_print(arena, "%s %s %s", names, kind->socket, kind->service);
        masked = arena_print(arena, "%s%s", masked, find_masked(doctor, kind));
        check = check ? check : kind->check;
        path = path ? path : unit.port;
    }
    return !path || findings_trouble(doctor, check, fix_by_start(doctor, names, masked, true),
                                     "%s: %s, and no web server reaches the workers", path,
                                     strerror(ENOENT));
}

/* The folder is made when a socket begins to listen, and is not made open again after that. */
static bool look_at_folder(struct doctor *doctor, const char *socket_path)
{
    struct stat status;
    struct user front;
    const char *folder = folder_of(socket_path, doctor->arena);
    if (!users_find(doctor->arena, FRONT_USER, &front) || stat(folder, &status) != 0 ||
        users_may(&front, &status, X_OK))
        return true;
    return findings_trouble(
        doctor, "socket",
        arena_print(doctor->arena, "chmod go+x %s", shell_quote(doctor->arena, folder)),
        "the web server, which runs as " FRONT_USER ", may not enter %s (%s, mode %o)", folder,
        users_name(doctor->arena, status.st_uid), status.st_mode & 07777);
}

static bool look_at_socket(struct doctor *doctor, const struct kind *kind, const char *path)
{
    struct stat status;
    struct user front;
    struct arena *arena = doctor->arena;
    const char *fix =
        fix_by_start(doctor, arena_print(arena, " %s %s", kind->socket, kind->service),
                     find_masked(doctor, kind), false);
    if (stat(path, &status) == 0 && users_find(arena, FRONT_USER, &front) &&
        !users_may(&front, &status, R_OK | W_OK))
        return findings_trouble(doctor, kind->check, fix,
                                "the web server, which runs as " FRONT_USER
                                ", may not use %s (%s, mode %o)",
                                path, users_name(arena, status.st_uid), status.st_mode & 07777);
    if (!answers(path) && errno != EACCES)
        return findings_trouble(doctor, kind->check, fix, "nobody listens at %s: %s", path,
                                strerror(errno));
    return findings_fine(doctor, kind->check, "%s is there", path);
}

/* -- Workers ----------------------------------------------------------------------------------- */

struct count {
    int running, old;
    const char *path; /* of an old one's program */
};

/* A process whose program this user may not see serves what the unit says. */
static struct count count_workers(const struct examination *seen, const struct kind *kind)
{
    struct count count = {0, 0, NULL};
    struct unit unit;
    units_read(seen->arena, kind->service, &unit);
    bool unit_serves = units_use_logbook(&unit, seen->doctor->database);
    for (struct worker *worker = processes_find_workers(seen->arena); worker; worker = worker->next)
        if (&kinds[worker->program] == kind && worker->user == seen->workers.id &&
            (worker->path ? workers_serve(worker, seen->doctor->database) : unit_serves)) {
            count.running++;
            count.old += worker->is_old;
            count.path = worker->is_old ? worker->path : count.path;
        }
    return count;
}

/* Several installations may share a machine; workers of the logbook's own user are of this one. */
static void report_none(const struct examination *seen, const struct kind *kind)
{
    struct unit unit;
    struct doctor *doctor = seen->doctor;
    const char *other = workers_find_other(doctor, &seen->workers);
    units_read(seen->arena, kind->service, &unit);
    if (units_use_logbook(&unit, doctor->database) &&
        (kind == kinds || unit.by_operator || unit.enabled))
        findings_trouble(doctor, kind->running, fix_by_restart(doctor, kind),
                         kind == kinds ? "none runs" : "no worker of the pages runs");
    else if (kind == kinds && other)
        findings_warn(doctor, "workers",
                      arena_print(seen->arena, "qsosync-admin --db %s doctor",
                                  shell_quote(seen->arena, other)),
                      "no worker serves %s; those that run serve another logbook, %s",
                      doctor->database, other);
    else if (kind == kinds)
        findings_fine(doctor, "workers",
                      "this user sees none that runs; a web server may start them");
}

static void report_count(const struct examination *seen, const struct kind *kind,
                         const struct count *count)
{
    if (count->old > 0)
        findings_warn(seen->doctor, kind->running,
                      arena_print(seen->arena, "systemctl restart %s", kind->service),
                      "%d of the workers run an older program than the file %s", count->old,
                      count->path);
    else if (count->running > 0)
        findings_fine(seen->doctor, kind->running, "%d run%s", count->running,
                      count->running == 1 ? "s" : "");
    else
        report_none(seen, kind);
}

bool units_check(struct examination *seen)
{
    struct doctor *doctor = seen->doctor;
    struct unit unit;
    bool right = true;
    for (size_t i = 0; i < KINDS; i++)
        right = look_at_settings_of(doctor, kinds[i].service, kinds[i].service) && right;
    if (!look_at_settings_of(doctor, "qsosync-cluster@.service", "qsosync-cluster.socket") ||
        !right)
        return false;
    /* Counted before the sockets are tried, for which systemd would start them. */
    const struct count counts[] = {count_workers(seen, &kinds[WORKER_API]),
                                   count_workers(seen, &kinds[WORKER_SITE])};
    if (!are_there(doctor) ||
        (is_wanted(doctor, kinds, &unit) && !look_at_folder(doctor, unit.port)))
        return true;
    for (size_t i = 0; i < KINDS; i++)
        if (!is_wanted(doctor, &kinds[i], &unit) || look_at_socket(doctor, &kinds[i], unit.port) ||
            counts[i].running > 0)
            report_count(seen, &kinds[i], &counts[i]);
    return true;
}

/* -- The cluster's port ------------------------------------------------------------------------ */

/* It is systemd that listens: without a connection, for which it would start a program. */
static void look_at_cluster(struct doctor *doctor)
{
    struct unit unit;
    units_read(doctor->arena, CLUSTER, &unit);
    const char *colon = unit.port ? strrchr(unit.port, ':') : NULL;
    unsigned long port = unit.port ? strtoul(colon ? colon + 1 : unit.port, NULL, 10) : 0;
    if (!unit.path || !unit.enabled || unit.masked || port == 0)
        return;
    if (!processes_have_port((unsigned)port))
        findings_trouble(doctor, "cluster", "systemctl restart " CLUSTER,
                         "nobody listens at port %lu, the DX cluster's", port);
    else if (access("/run/systemd/system", F_OK) == 0 &&
             system("systemctl is-active --quiet " CLUSTER " 2> /dev/null") != 0)
        findings_trouble(doctor, "cluster",
                         "let the program that ss -ltnp names listen elsewhere, or give " CLUSTER
                         " another port; then systemctl restart " CLUSTER,
                         "port %lu, the DX cluster's, is taken by another program", port);
    else
        findings_fine(doctor, "cluster", "port %lu is open", port);
}

/* -- Two installations ------------------------------------------------------------------------- */

void units_check_installed(struct doctor *doctor)
{
    static const char *const names[] = {"qsosync.service", "qsosync-site.service",
                                        "qsosync-backup.service"};
    struct unit unit = {0};
    if (strcmp(doctor->database, QSOSYNC_DEFAULT_DB) == 0)
        look_at_cluster(doctor);
    for (size_t i = 0; i < sizeof names / sizeof *names && !unit.hidden; i++)
        units_read(doctor->arena, names[i], &unit);
    if (unit.hidden)
        findings_warn(
            doctor, "installation",
            "remove what make install has put there as qsosync-install(7) says and keep the "
            "logbook",
            "QSOsync is installed twice: %s hides the package's %s", unit.path, unit.hidden);
}
