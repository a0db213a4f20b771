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
#define SYSTEMD "/run/systemd/system" /* is there while it runs */

/* The workers of the API and of the pages, in the order of enum worker_program. */
static const struct kind {
    const char *check, *running, *socket, *service;
} kinds[] = {{"socket", "workers", "qsosync.socket", "qsosync.service"},
             {"pages", "pages", "qsosync-site.socket", "qsosync-site.service"}};
#define KINDS (sizeof kinds / sizeof *kinds)

/* The socket's unit, if units of this logbook are to serve it so (of the pages, if somebody has
 * enabled them); or else NULL. */
static const struct unit *find_wanted(struct examination *seen, const struct kind *kind)
{
    const struct unit *socket_unit = units_read(seen->arena, kind->socket);
    bool wanted = socket_unit->port && *socket_unit->port == '/' &&
                  units_use_logbook(units_read(seen->arena, kind->service), seen->path) &&
                  (kind == kinds || socket_unit->by_operator || socket_unit->enabled);
    return wanted ? socket_unit : NULL;
}

/* -- Fixes ------------------------------------------------------------------------------------- */

/* The command that starts units, each of whose names has a blank before it. systemd never starts
 * one that somebody has masked. */
static const char *fix_by_start(struct examination *seen, const char *names, bool enable)
{
    const char *masked = "";
    char *save = NULL;
    for (char *name = strtok_r(print(seen, "%s", names), " ", &save); name;
         name = strtok_r(NULL, " ", &save))
        if (units_read(seen->arena, name)->masked)
            masked = print(seen, "%s %s", masked, name);
    return print(seen, "%s%ssystemctl restart%s",
                 *masked ? print(seen, "systemctl unmask%s && ", masked) : "",
                 *masked || enable ? print(seen, "systemctl enable%s && ", names) : "", names);
}

/* What a restart does not mend is said by systemd's journal. */
static const char *fix_by_restart(struct examination *seen, const char *unit)
{
    const char *ask = print(seen, "systemctl is-failed --quiet %s 2> /dev/null",
                            instance_adapt(seen->arena, unit));
    if (access(SYSTEMD, F_OK) == 0 && system(ask) == 0)
        return print(seen, "mend what journalctl -u %s -n 20 says, then systemctl restart %s", unit,
                     unit);
    return fix_by_start(seen, print(seen, " %s", unit), false);
}

const char *units_fix_by_timer(struct examination *seen, const char *name, const char *otherwise)
{
    const struct unit *timer = units_read(seen->arena, print(seen, "%s.timer", name));
    if (strcmp(seen->doctor->database, QSOSYNC_DEFAULT_DB) != 0 || access(SYSTEMD, F_OK) != 0)
        return otherwise;
    const char *before =
        timer->masked ? print(seen, "systemctl unmask %s.timer %s.service && ", name, name)
        : timer->path
            ? ""
            : print(seen, "cp " QSOSYNC_SHARED_FILES "/service/%s.* /etc/systemd/system/ && ",
                    name);
    return print(seen, "%ssystemctl enable --now %s.timer && systemctl start %s.service", before,
                 name, name);
}

/* -- What keeps programs from starting, or from this logbook ----------------------------------- */

/* Which logbook is right is not known here. One that is not there is a mistyped name. */
static bool look_at_logbook_of(struct examination *seen, const struct unit *unit, const char *name)
{
    const char *file, *other = units_variable(unit, "QSOSYNC_DB", &file);
    if (!other || strchr(name, '@'))
        return true;
    if (access(other, F_OK) == 0)
        return warn(seen, "workers",
                    print(seen, "qsosync-admin --db %s doctor", quote(seen, other)),
                    "%s serves another logbook, %s, as %s says", name, other, file);
    return trouble(
        seen, "settings",
        print(seen,
              "correct QSOSYNC_DB in %s, then systemctl daemon-reload and systemctl restart %s",
              file, name),
        "%s: QSOSYNC_DB is %s, which does not exist; %s was examined", file, other,
        seen->doctor->database);
}

static bool look_at_settings_of(struct examination *seen, const char *name, const char *restarted)
{
    const struct unit *unit = units_read(seen->arena, name);
    bool right = true;
    if (unit->path && !units_use_logbook(unit, seen->path))
        return look_at_logbook_of(seen, unit, name);
    for (int i = 0; unit->variables[i]; i++) {
        struct buffer why = {0};
        enum setting_fault fault = settings_judge(unit->variables[i], &why);
        bool wrong = fault == SETTING_WRONG;
        if (fault != SETTING_FINE)
            findings_add(
                seen, wrong ? FINDING_PROBLEM : FINDING_WARNING, "settings",
                print(seen,
                      "correct it in %s, then systemctl daemon-reload and systemctl restart %s",
                      unit->files[i], restarted),
                "%s: %.*s%s", unit->files[i], (int)why.length, why.bytes,
                wrong ? ": no worker starts with this" : ": it has no effect");
        right = right && !wrong;
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

bool units_are_reached(struct examination *seen)
{
    const struct unit *unit = find_wanted(seen, kinds);
    return unit && answers(unit->port);
}

/* Their folder goes with the sockets, so that all that are missing have one cause. */
static bool are_there(struct examination *seen)
{
    const char *check = NULL, *path = NULL, *names = "";
    for (const struct kind *kind = kinds; kind < kinds + KINDS; kind++) {
        const struct unit *unit = find_wanted(seen, kind);
        if (!unit || access(unit->port, F_OK) == 0 || errno != ENOENT)
            continue;
        names = print(seen, "%s %s %s", names, kind->socket, kind->service);
        check = check ? check : kind->check;
        path = path ? path : unit->port;
    }
    return !path ||
           trouble(seen, check, fix_by_start(seen, names, true),
                   "%s: %s, and no web server reaches the workers", path, strerror(ENOENT));
}

/* Whether the web server may use a file so; `what` says how. */
static bool front_may(struct examination *seen, const char *check, const char *fix,
                      const char *what, const char *path, mode_t bits)
{
    struct stat status;
    struct user front;
    return !users_find(seen->arena, FRONT_USER, &front) || stat(path, &status) != 0 ||
           users_may(&front, &status, bits) ||
           trouble(seen, check, fix,
                   "the web server, which runs as " FRONT_USER ", may not %s %s (%s, mode %o)",
                   what, path, users_name(seen->arena, status.st_uid), status.st_mode & 07777);
}

/* The folder is made when a socket begins to listen, and is not made open again after that. */
static bool look_at_folder(struct examination *seen, const char *folder)
{
    return front_may(seen, "socket", print(seen, "chmod go+x %s", quote(seen, folder)), "enter",
                     folder, X_OK);
}

static bool look_at_socket(struct examination *seen, const struct kind *kind, const char *path)
{
    const char *names = print(seen, " %s %s", kind->socket, kind->service);
    const char *fix = fix_by_start(seen, names, false);
    if (!front_may(seen, kind->check, fix, "use", path, R_OK | W_OK))
        return false;
    if (!answers(path) && errno != EACCES)
        return trouble(seen, kind->check, fix, "nobody listens at %s: %s", path, strerror(errno));
    return fine(seen, kind->check, "%s is there", path);
}

/* -- Workers ----------------------------------------------------------------------------------- */

struct count {
    int running, old;
    const char *path; /* of an old one's program */
};

static struct count count_workers(struct examination *seen, const struct kind *kind)
{
    struct count count = {0, 0, NULL};
    for (struct worker *worker = seen->running; worker; worker = worker->next)
        if (&kinds[worker->program] == kind && workers_are_ours(seen, worker)) {
            count.running++;
            count.old += worker->is_old;
            count.path = worker->is_old ? worker->path : count.path;
        }
    return count;
}

/* Several installations may share a machine; workers of the logbook's own user are of this one. */
static void report_none(struct examination *seen, const struct kind *kind)
{
    const char *other = workers_find_other(seen, true);
    const struct unit *unit = units_read(seen->arena, kind->service);
    bool is_api = kind == kinds;
    if (units_use_logbook(unit, seen->path) && (is_api || unit->by_operator || unit->enabled))
        trouble(seen, kind->running, fix_by_restart(seen, kind->service),
                is_api ? "none runs" : "no worker of the pages runs");
    else if (is_api && other)
        warn(seen, "workers", print(seen, "qsosync-admin --db %s doctor", quote(seen, other)),
             "no worker serves %s; those that run serve another logbook, %s",
             seen->doctor->database, other);
    else if (is_api)
        fine(seen, "workers", "this user sees none that runs; a web server may start them");
}

static void report_count(struct examination *seen, const struct kind *kind, struct count count)
{
    if (count.old > 0)
        warn(seen, kind->running, print(seen, "systemctl restart %s", kind->service),
             "%d of the workers run an older program than the file %s", count.old, count.path);
    else if (count.running > 0)
        fine(seen, kind->running, "%d run%s", count.running, count.running == 1 ? "s" : "");
    else
        report_none(seen, kind);
}

bool units_check(struct examination *seen)
{
    bool right = true;
    for (size_t i = 0; i < KINDS; i++)
        right = look_at_settings_of(seen, kinds[i].service, kinds[i].service) && right;
    if (!look_at_settings_of(seen, "qsosync-cluster@.service", CLUSTER) || !right)
        return false;
    /* Counted before the sockets are tried, for which systemd would start them. */
    const struct count counts[] = {count_workers(seen, &kinds[WORKER_API]),
                                   count_workers(seen, &kinds[WORKER_SITE])};
    const struct unit *unit = find_wanted(seen, kinds);
    if (!are_there(seen) || (unit && !look_at_folder(seen, folder_of(unit->port, seen->arena))))
        return true;
    for (size_t i = 0; i < KINDS; i++) {
        unit = find_wanted(seen, &kinds[i]);
        if (!unit || look_at_socket(seen, &kinds[i], unit->port) || counts[i].running > 0)
            report_count(seen, &kinds[i], counts[i]);
    }
    return true;
}

/* -- The cluster's port ------------------------------------------------------------------------ */

/* It is systemd that listens: without a connection, for which it would start a program. */
static void look_at_cluster(struct examination *seen)
{
    const struct unit *unit = units_read(seen->arena, CLUSTER);
    const char *colon = unit->port ? strrchr(unit->port, ':') : NULL;
    unsigned long port = unit->port ? strtoul(colon ? colon + 1 : unit->port, NULL, 10) : 0;
    if (!unit->path || !unit->enabled || unit->masked || port == 0)
        return;
    if (!processes_have_port((unsigned)port))
        trouble(seen, "cluster", "systemctl restart " CLUSTER,
                "nobody listens at port %lu, the DX cluster's", port);
    else if (access(SYSTEMD, F_OK) == 0 &&
             system("systemctl is-active --quiet " CLUSTER " 2> /dev/null") != 0)
        trouble(seen, "cluster",
                "let the program that ss -ltnp names listen elsewhere, or give " CLUSTER
                " another port; then systemctl restart " CLUSTER,
                "port %lu, the DX cluster's, is taken by another program", port);
    else
        fine(seen, "cluster", "port %lu is open", port);
}

/* -- Two installations ------------------------------------------------------------------------- */

void units_check_installed(struct examination *seen)
{
    static const char *const names[] = {"qsosync.service", "qsosync-site.service",
                                        "qsosync-backup.service", NULL};
    if (strcmp(seen->doctor->database, QSOSYNC_DEFAULT_DB) == 0)
        look_at_cluster(seen);
    for (const char *const *name = names; *name; name++) {
        const struct unit *unit = units_read(seen->arena, *name);
        if (!unit->hidden)
            continue;
        warn(seen, "installation",
             "remove what make install has put there as qsosync-install(7) says and keep the "
             "logbook",
             "QSOsync is installed twice: %s hides the package's %s", unit->path, unit->hidden);
        return;
    }
}
