/* Checks of the shipped units of systemd: their settings, their sockets and ports, and whether
 * QSOsync is installed twice. Units are read as they are written (units.c); systemd is not asked.
 * Processes that run are looked at in check_workers.c. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "doctor/machine.h"
#include "installation.h"
#include "worker/settings.h"

#define LISTENS 0x0A /* the state in /proc/net/tcp */

bool check_units_has(struct arena *arena, const char *name)
{
    struct unit unit;
    units_read(arena, name, &unit);
    return unit.path != NULL;
}

/* -- Settings ---------------------------------------------------------------------------------- */

static bool look_at_settings_of(const char *name, const char *restarted, struct doctor *doctor,
                                struct findings *findings)
{
    struct unit unit;
    bool right = true;
    units_read(doctor->arena, name, &unit);
    if (!units_use_logbook(&unit, doctor->database))
        return true;
    for (int i = 0; unit.variables[i]; i++) {
        struct buffer why = {0};
        enum setting_fault fault = settings_judge(unit.variables[i], &why);
        if (fault != SETTING_FINE)
            findings_add(
                findings, fault == SETTING_WRONG ? FINDING_PROBLEM : FINDING_WARNING, "settings",
                arena_print(doctor->arena,
                            "correct it in %s, then systemctl daemon-reload and "
                            "systemctl restart %s",
                            unit.files[i], restarted),
                "%s: %.*s%s", unit.files[i], (int)why.length, why.bytes,
                fault == SETTING_WRONG ? ": no worker starts with this" : ": it has no effect");
        right = right && fault != SETTING_WRONG;
        buffer_free(&why);
    }
    return right;
}

bool check_units_settings(struct doctor *doctor, struct findings *findings)
{
    static const struct {
        const char *name, *restarted;
    } units[] = {{"qsosync.service", "qsosync.service"},
                 {"qsosync-site.service", "qsosync-site.service"},
                 {"qsosync-cluster@.service", "qsosync-cluster.socket"}};
    bool right = true;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        right = look_at_settings_of(units[i].name, units[i].restarted, doctor, findings) && right;
    return right;
}

/* -- Sockets and the port ---------------------------------------------------------------------- */

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

bool check_units_socket(struct doctor *doctor, const char *check, const char *name, bool needed,
                        struct findings *findings)
{
    struct stat status;
    struct worker_user front;
    struct unit socket_unit, service;
    struct arena *arena = doctor->arena;
    const char *both = arena_print(arena, "%s.socket %s.service", name, name);
    units_read(arena, arena_print(arena, "%s.socket", name), &socket_unit);
    units_read(arena, arena_print(arena, "%s.service", name), &service);
    const char *path = socket_unit.port;
    bool is_wanted = needed || socket_unit.by_operator || socket_unit.enabled;
    if (!path || *path != '/' || !is_wanted || !units_use_logbook(&service, doctor->database))
        return true;
    int problems = findings->problems;
    if (stat(path, &status) != 0)
        findings_add(findings, FINDING_PROBLEM, check,
                     arena_print(arena, "systemctl enable --now %s", both), "%s: %s", path,
                     strerror(errno));
    else if (workers_look_up_user("www-data", &front) && !workers_may(&front, &status, R_OK | W_OK))
        findings_add(findings, FINDING_PROBLEM, check,
                     arena_print(arena, "systemctl restart %s", both),
                     "the web server, which runs as www-data, may not use %s (%s, mode %o)", path,
                     workers_user_name(arena, status.st_uid), status.st_mode & 07777);
    else if (!answers(path) && errno != EACCES)
        findings_add(findings, FINDING_PROBLEM, check,
                     arena_print(arena, "systemctl restart %s", both), "nobody listens at %s: %s",
                     path, strerror(errno));
    else
        findings_add(findings, FINDING_OK, check, NULL, "%s is there", path);
    return findings->problems == problems;
}

/* Without a connection, for which systemd would start a program. */
static bool is_listening(struct arena *arena, unsigned port)
{
    static const char *const tables[] = {"/proc/net/tcp", "/proc/net/tcp6"};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        size_t length;
        unsigned here, state;
        char *save = NULL, *table = file_text_read(arena, tables[i], &length);
        for (char *line = table ? strtok_r(table, "\n", &save) : NULL; line;
             line = strtok_r(NULL, "\n", &save))
            if (sscanf(line, "%*d: %*[0-9A-F]:%x %*[0-9A-F]:%*x %x", &here, &state) == 2 &&
                here == port && state == LISTENS)
                return true;
    }
    return false;
}

static void look_at_cluster(struct doctor *doctor, struct findings *findings)
{
    struct unit unit;
    units_read(doctor->arena, "qsosync-cluster.socket", &unit);
    const char *colon = unit.port ? strrchr(unit.port, ':') : NULL;
    unsigned long port = unit.port ? strtoul(colon ? colon + 1 : unit.port, NULL, 10) : 0;
    if (!unit.path || !unit.enabled || port == 0)
        return;
    if (is_listening(doctor->arena, (unsigned)port))
        findings_add(findings, FINDING_OK, "cluster", NULL, "port %lu is open", port);
    else
        findings_add(findings, FINDING_PROBLEM, "cluster",
                     "systemctl restart qsosync-cluster.socket",
                     "nobody listens at port %lu, the DX cluster's", port);
}

/* -- Two installations ------------------------------------------------------------------------- */

static void look_at_installation(struct doctor *doctor, struct findings *findings)
{
    static const char *const names[] = {"qsosync.service", "qsosync-site.service",
                                        "qsosync-backup.service"};
    struct unit unit;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        units_read(doctor->arena, names[i], &unit);
        if (!unit.hidden)
            continue;
        findings_add(findings, FINDING_WARNING, "installation",
                     "remove what make install has put there as README says under Uninstall and "
                     "keep the logbook",
                     "QSOsync is installed twice: %s hides the package's %s", unit.path,
                     unit.hidden);
        return;
    }
    if (access("/usr/local/libexec/qsosync.fcgi", F_OK) == 0 &&
        access("/usr/libexec/qsosync.fcgi", F_OK) == 0)
        findings_add(findings, FINDING_WARNING, "installation",
                     "remove what make install has put there as README says under Uninstall and "
                     "keep the logbook",
                     "QSOsync is installed twice, in /usr/local and by the package in /usr");
}

void check_units_installed(struct doctor *doctor, struct findings *findings)
{
    if (strcmp(doctor->database, QSOSYNC_DEFAULT_DB) == 0)
        look_at_cluster(doctor, findings);
    look_at_installation(doctor, findings);
}
