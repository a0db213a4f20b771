/* Checks of the shipped units of systemd: whether they may start, which logbook and settings they
 * give their programs, their sockets and port, and whether QSOsync is installed twice. Units are
 * read as they are written (machine.c). Processes are looked at in check_workers.c. */
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
#include "worker/settings.h"

#define FRONT_USER "www-data"
#define UNINSTALL                                                                                  \
    "remove what make install has put there as qsosync-install(7) says and keep the logbook"

/* The workers of the API and of the pages, in the order of enum worker_program. */
static const struct {
    const char *check, *socket, *service;
} kinds[] = {{"socket", "qsosync.socket", "qsosync.service"},
             {"pages", "qsosync-site.socket", "qsosync-site.service"}};
#define KINDS (sizeof kinds / sizeof *kinds)

static bool is_wanted(struct doctor *doctor, size_t kind, struct unit *socket_unit)
{
    struct unit service;
    units_read(doctor->arena, kinds[kind].service, &service);
    units_read(doctor->arena, kinds[kind].socket, socket_unit);
    return socket_unit->port && *socket_unit->port == '/' &&
           units_use_logbook(&service, doctor->database) &&
           (kind == 0 || socket_unit->by_operator || socket_unit->enabled);
}

/* -- What keeps programs from starting, or from this logbook ----------------------------------- */

static bool look_for_masks(struct doctor *doctor)
{
    struct unit unit, socket_unit;
    const char *masked = "";
    for (size_t i = 0; i < KINDS; i++) {
        const char *const names[] = {kinds[i].socket, kinds[i].service};
        for (size_t k = 0; k < 2 && is_wanted(doctor, i, &socket_unit); k++) {
            units_read(doctor->arena, names[k], &unit);
            if (unit.masked)
                masked = arena_print(doctor->arena, "%s %s", masked, names[k]);
        }
    }
    return !*masked ||
           findings_trouble(doctor, "units",
                            arena_print(doctor->arena,
                                        "systemctl unmask%s && systemctl enable%s && systemctl "
                                        "restart%s",
                                        masked, masked, masked),
                            "masked, so that systemd never starts them:%s", masked);
}

/* Which logbook is right is not known here. One that is not there is a mistyped name. */
static bool look_at_logbook_of(struct doctor *doctor, const struct unit *unit, const char *name)
{
    const char *file, *other = units_variable(unit, "QSOSYNC_DB", &file);
    if (!other || folder_is_same(other, doctor->database))
        return true;
    if (access(other, F_OK) != 0)
        return findings_trouble(doctor, "settings",
                                arena_print(doctor->arena,
                                            "correct QSOSYNC_DB in %s, then systemctl "
                                            "daemon-reload and systemctl restart %s",
                                            file, name),
                                "%s: QSOSYNC_DB is %s, which does not exist; %s was examined", file,
                                other, doctor->database);
    return findings_warn(doctor, "workers",
                         arena_print(doctor->arena, "qsosync-admin --db %s doctor",
                                     shell_quote(doctor->arena, other)),
                         "%s serves another logbook, %s, as %s says", name, other, file);
}

static bool look_at_settings_of(struct doctor *doctor, const char *name, const char *restarted)
{
    struct unit unit;
    bool right = true;
    units_read(doctor->arena, name, &unit);
    if (unit.path && !units_use_logbook(&unit, doctor->database))
        return strchr(name, '@') != NULL || look_at_logbook_of(doctor, &unit, name);
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

bool units_may_start(struct doctor *doctor)
{
    bool right = look_for_masks(doctor);
    for (size_t i = 0; i < KINDS; i++)
        right = look_at_settings_of(doctor, kinds[i].service, kinds[i].service) && right;
    return look_at_settings_of(doctor, "qsosync-cluster@.service", "qsosync-cluster.socket") &&
           right;
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

/* The folder is made when a socket begins to listen, and is not made open again after that. */
static bool look_at_folder(struct doctor *doctor, const char *folder, const char *names)
{
    struct stat status;
    struct user front;
    if (stat(folder, &status) != 0)
        return findings_trouble(
            doctor, "socket",
            arena_print(doctor->arena, "systemctl enable%s && systemctl restart%s", names, names),
            "%s: %s, and no web server reaches the workers", folder, strerror(errno));
    return !users_find(doctor->arena, FRONT_USER, &front) || users_may(&front, &status, X_OK) ||
           findings_trouble(
               doctor, "socket",
               arena_print(doctor->arena, "chmod go+x %s", shell_quote(doctor->arena, folder)),
               "the web server, which runs as " FRONT_USER ", may not enter %s (%s, mode %o)",
               folder, users_name(doctor->arena, status.st_uid), status.st_mode & 07777);
}

bool units_check_folder(struct doctor *doctor)
{
    struct unit unit;
    struct arena *arena = doctor->arena;
    const char *names = "", *folder = NULL;
    for (size_t i = 0; i < KINDS; i++)
        if (is_wanted(doctor, i, &unit)) {
            names = arena_print(arena, "%s %s %s", names, kinds[i].socket, kinds[i].service);
            char *path = arena_print(arena, "%s", folder_of(unit.port, arena));
            path[strlen(path) - 1] = '\0';
            folder = folder ? folder : path;
        }
    return !folder || look_at_folder(doctor, folder, names);
}

bool units_check_socket(struct doctor *doctor, enum worker_program program)
{
    struct stat status;
    struct user front;
    struct unit unit;
    struct arena *arena = doctor->arena;
    const char *check = kinds[program].check;
    const char *both = arena_print(arena, "%s %s", kinds[program].socket, kinds[program].service);
    const char *restart = arena_print(arena, "systemctl restart %s", both);
    if (!is_wanted(doctor, program, &unit))
        return true;
    if (stat(unit.port, &status) != 0)
        return findings_trouble(doctor, check,
                                arena_print(arena, "systemctl enable %s && %s", both, restart),
                                "%s: %s", unit.port, strerror(errno));
    if (users_find(arena, FRONT_USER, &front) && !users_may(&front, &status, R_OK | W_OK))
        return findings_trouble(
            doctor, check, restart,
            "the web server, which runs as " FRONT_USER ", may not use %s (%s, mode %o)", unit.port,
            users_name(arena, status.st_uid), status.st_mode & 07777);
    if (!answers(unit.port) && errno != EACCES)
        return findings_trouble(doctor, check, restart, "nobody listens at %s: %s", unit.port,
                                strerror(errno));
    return findings_fine(doctor, check, "%s is there", unit.port);
}

bool workers_are_reached(struct doctor *doctor)
{
    struct unit unit;
    return is_wanted(doctor, WORKER_API, &unit) && answers(unit.port);
}

/* -- The cluster's port ------------------------------------------------------------------------ */

/* Without a connection, for which systemd would start a program. It is systemd that listens. */
static void look_at_cluster(struct doctor *doctor)
{
    struct unit unit;
    struct process process;
    units_read(doctor->arena, "qsosync-cluster.socket", &unit);
    const char *colon = unit.port ? strrchr(unit.port, ':') : NULL;
    unsigned long port = unit.port ? strtoul(colon ? colon + 1 : unit.port, NULL, 10) : 0;
    if (!unit.path || !unit.enabled || unit.masked || port == 0)
        return;
    if (!processes_find_listener(doctor->arena, (unsigned)port, &process))
        findings_trouble(doctor, "cluster", "systemctl restart qsosync-cluster.socket",
                         "nobody listens at port %lu, the DX cluster's", port);
    else if (process.pid > 1 && strcmp(process.name, "systemd") != 0)
        findings_trouble(
            doctor, "cluster",
            "let that program listen elsewhere, or give qsosync-cluster.socket another "
            "port; then systemctl restart qsosync-cluster.socket",
            "port %lu, the DX cluster's, is taken by %s", port,
            processes_name(doctor->arena, &process));
    else
        findings_fine(doctor, "cluster", "port %lu is open", port);
}

/* -- Two installations ------------------------------------------------------------------------- */

static void look_at_installation(struct doctor *doctor)
{
    static const char *const names[] = {"qsosync.service", "qsosync-site.service",
                                        "qsosync-backup.service"};
    struct unit unit;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        units_read(doctor->arena, names[i], &unit);
        if (!unit.hidden)
            continue;
        findings_warn(doctor, "installation", UNINSTALL,
                      "QSOsync is installed twice: %s hides the package's %s", unit.path,
                      unit.hidden);
        return;
    }
    if (access("/usr/local/libexec/qsosync.fcgi", F_OK) == 0 &&
        access("/usr/libexec/qsosync.fcgi", F_OK) == 0)
        findings_warn(doctor, "installation", UNINSTALL,
                      "QSOsync is installed twice, in /usr/local and by the package in /usr");
}

void units_check_installed(struct doctor *doctor)
{
    if (strcmp(doctor->database, QSOSYNC_DEFAULT_DB) == 0)
        look_at_cluster(doctor);
    look_at_installation(doctor);
}
