/* Describes the kinds of workers, and finds out which logbook they serve: from the systemd units
 * and from the running processes. */
#include "doctor/workers.h"

#include <string.h>

#include "base/folder.h"
#include "doctor/units.h"
#include "installation.h"

const struct worker_kind worker_kinds[WORKER_KINDS] = {
    {"socket", "workers", "qsosync.socket", "qsosync.service", QSOSYNC_WORKER,
     "no worker is running"},
    {"pages", "pages", "qsosync-site.socket", "qsosync-site.service", QSOSYNC_SITE_WORKER,
     "no page worker is running"},
};
bool workers_are_started_for(struct examination *seen, const char *name)
{
    return units_use_logbook(units_read(seen->arena, name), seen->path);
}

const struct unit *workers_find_socket(struct examination *seen, const struct worker_kind *kind)
{
    const struct unit *unit = units_read(seen->arena, kind->socket);
    return unit->port && *unit->port == '/' && workers_are_started_for(seen, kind->service) ? unit
                                                                                            : NULL;
}

bool workers_are_ours(struct examination *seen, const struct worker *worker)
{
    const char *logbook = worker->logbook ? worker->logbook : QSOSYNC_DEFAULT_DB;
    return worker->user == seen->workers.id &&
           (worker->path ? folder_is_same(logbook, seen->path)
                         : workers_are_started_for(seen, worker_kinds[worker->program].service));
}

const char *workers_find_other(struct examination *seen, bool running)
{
    for (size_t i = 0; i < WORKER_KINDS; i++) {
        const char *other =
            units_value(units_read(seen->arena, worker_kinds[i].service), "QSOSYNC_DB=");
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
