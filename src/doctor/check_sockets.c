/* Checks the sockets of the workers' units. */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/format.h"
#include "doctor/findings.h"
#include "doctor/front_rights.h"
#include "doctor/systemd.h"
#include "doctor/worker_checks.h"
#include "doctor/workers.h"

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

bool sockets_are_reached(struct examination *seen)
{
    const struct unit *unit = workers_find_socket(seen, worker_kinds);
    const struct folder_ids before = examination_regain_rights();
    const bool is_reached = unit && answers(unit->port);
    folder_act_as(before);
    return is_reached;
}

static bool can_be_named(struct examination *seen, const struct worker_kind *kind,
                         const struct unit *unit)
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

/* Checks that the sockets exist. If several sockets are missing, the cause is probably their
 * missing folder, so they become one finding. */
bool sockets_exist(struct examination *seen)
{
    const char *check = NULL, *path = NULL, *names = "";
    for (const struct worker_kind *kind = worker_kinds; kind < worker_kinds + WORKER_KINDS;
         kind++) {
        const struct unit *unit = workers_find_socket(seen, kind);
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

bool sockets_check(struct examination *seen, const struct worker_kind *kind, const char *path)
{
    const char *names = print(seen, "%s %s", kind->socket, kind->service);
    const char *fix = systemd_fix_by_restart(seen, kind->service, names);
    if (!front_rights_check(seen, kind->check, fix, "use", path, R_OK | W_OK))
        return false;
    if (!answers(path) && errno != EACCES)
        return trouble(seen, kind->check, fix, "nothing is listening on %s: %s", path,
                       strerror(errno));
    return fine(seen, kind->check, "%s accepts connections", path);
}
