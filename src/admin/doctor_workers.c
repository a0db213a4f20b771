/* The processes and the shipped units. */
#include "admin/doctor_workers.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/shared_file.h"
#include "installation.h"

#define UNIT "qsosync.socket"
#define SOCKET "/run/qsosync/worker.sock"
#define UNIT_USER "qsosync"
#define LOCK_TRIES 20
#define LOCK_PAUSE_NS 50000000 /* a write takes some milliseconds */

static bool serves(const struct worker *worker, const char *logbook)
{
    struct stat theirs, ours;
    if (!worker->logbook)
        return strcmp(logbook, QSOSYNC_DEFAULT_DB) == 0;
    if (strcmp(worker->logbook, logbook) == 0)
        return true;
    return stat(worker->logbook, &theirs) == 0 && stat(logbook, &ours) == 0 &&
           theirs.st_dev == ours.st_dev && theirs.st_ino == ours.st_ino;
}

bool doctor_workers_has_unit(struct arena *arena, const char *name)
{
    static const char *const folders[] = {"/etc", "/lib"}; /* the operator's, the package's */
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (access(arena_print(arena, "%s/systemd/system/%s", folders[i], name), F_OK) == 0)
            return true;
    return false;
}

static bool has_units(const struct invocation *invocation)
{
    return doctor_workers_has_unit(invocation->arena, UNIT);
}

void doctor_find_workers(struct invocation *invocation, const char *folder, struct doctor_user *out)
{
    struct stat status;
    *out = (struct doctor_user){{0}, NULL};
    for (struct worker *worker = workers_find(invocation->arena); worker; worker = worker->next)
        if (serves(worker, invocation->database)) {
            out->runs_as = worker->runs_as;
            out->name = workers_user_name(invocation->arena, worker->runs_as.user);
            return;
        }
    if (has_units(invocation) && strcmp(invocation->database, QSOSYNC_DEFAULT_DB) == 0 &&
        workers_look_up_user(UNIT_USER, &out->runs_as)) {
        out->name = UNIT_USER;
        return;
    }
    out->runs_as.user = stat(folder, &status) == 0 ? status.st_uid : geteuid();
    if (out->runs_as.user == 0 && stat(invocation->database, &status) == 0)
        out->runs_as.user = status.st_uid;
    out->name = workers_user_name(invocation->arena, out->runs_as.user);
    workers_look_up_user(out->name, &out->runs_as);
}

const char *doctor_workers_fix_for_logbook(struct invocation *invocation)
{
    struct doctor_user user;
    const char *path = invocation->database;
    doctor_find_workers(invocation, folder_of(path, invocation->arena), &user);
    return arena_print(invocation->arena, "runuser -u %s -- qsosync-admin --db %s doctor",
                       user.name, command_quote(invocation->arena, path));
}

/* Several installations may share a machine; workers of the logbook's own user are of this one. */
static void look_at_processes(struct invocation *invocation, const struct doctor_user *expected,
                              struct findings *findings)
{
    int ours = 0;
    const struct worker *other = NULL;
    for (struct worker *worker = workers_find(invocation->arena); worker; worker = worker->next)
        if (serves(worker, invocation->database))
            ours++;
        else if (worker->logbook && worker->runs_as.user == expected->runs_as.user)
            other = worker;
    if (ours > 0)
        findings_add(findings, FINDING_OK, "workers", NULL, "%d run%s", ours, ours == 1 ? "s" : "");
    else if (other)
        findings_add(findings, FINDING_WARNING, "workers",
                     arena_print(invocation->arena, "qsosync-admin --db %s doctor",
                                 command_quote(invocation->arena, other->logbook)),
                     "no worker serves %s; those that run serve another logbook, %s",
                     invocation->database, other->logbook);
    else if (has_units(invocation) && strcmp(invocation->database, QSOSYNC_DEFAULT_DB) == 0)
        findings_add(findings, FINDING_TROUBLE, "workers", "systemctl restart qsosync.service",
                     "none runs");
    else
        findings_add(findings, FINDING_OK, "workers", NULL,
                     "this user sees none that runs; a web server may start them");
}

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

static void look_at_socket(struct invocation *invocation, struct findings *findings)
{
    struct stat status;
    struct worker_user front;
    if (!has_units(invocation) || strcmp(invocation->database, QSOSYNC_DEFAULT_DB) != 0)
        return;
    if (stat(SOCKET, &status) != 0)
        findings_add(findings, FINDING_TROUBLE, "socket",
                     "systemctl enable --now qsosync.socket qsosync.service", "%s: %s", SOCKET,
                     strerror(errno));
    else if (workers_look_up_user("www-data", &front) && !workers_may(&front, &status, R_OK | W_OK))
        findings_add(findings, FINDING_TROUBLE, "socket", "systemctl restart qsosync.socket",
                     "the web server, which runs as www-data, may not use %s (%s, mode %o)", SOCKET,
                     workers_user_name(invocation->arena, status.st_uid), status.st_mode & 07777);
    else if (!answers(SOCKET) && errno != EACCES)
        findings_add(findings, FINDING_TROUBLE, "socket",
                     "systemctl restart qsosync.socket qsosync.service", "nobody listens at %s: %s",
                     SOCKET, strerror(errno));
    else
        findings_add(findings, FINDING_OK, "socket", NULL, "%s is there", SOCKET);
}

/* The lock is held for one write at a time. A holder that keeps it is stuck. */
static void look_at_lock(struct invocation *invocation, struct findings *findings)
{
    const char *path = arena_print(invocation->arena, "%s-gate", invocation->database);
    struct timespec pause = {0, LOCK_PAUSE_NS};
    if (access(path, F_OK) != 0)
        return;
    bool free_now = false;
    for (int i = 0; i < LOCK_TRIES && !free_now; i++) {
        free_now = !shared_file_is_locked(invocation->database, "-gate", 0);
        if (!free_now)
            nanosleep(&pause, NULL);
    }
    if (free_now)
        findings_add(findings, FINDING_OK, "lock", NULL, "writers do not wait for each other");
    else
        findings_add(findings, FINDING_WARNING, "lock",
                     arena_print(invocation->arena,
                                 "systemctl restart qsosync.service; fuser -k -TERM %s",
                                 command_quote(invocation->arena, path)),
                     "some process has held the writer lock for a whole second");
}

void doctor_look_at_workers(struct invocation *invocation, const struct doctor_user *expected,
                            struct findings *findings)
{
    look_at_processes(invocation, expected, findings);
    look_at_socket(invocation, findings);
    look_at_lock(invocation, findings);
}
