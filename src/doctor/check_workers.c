/* Checks the workers on this machine, with their units and sockets. */
#include <unistd.h>

#include "base/folder.h"
#include "doctor/checks.h"
#include "doctor/findings.h"
#include "doctor/front_rights.h"
#include "doctor/systemd.h"
#include "doctor/worker_checks.h"
#include "doctor/workers.h"

/* Reports that no worker serves the logbook. Several installations can share a machine. Workers
 * that run as the logbook's user belong to this installation. */
static void report_none(struct examination *seen, const struct worker_kind *kind)
{
    const char *other = workers_find_other(seen, true);
    if (workers_are_started_for(seen, kind->service))
        trouble(seen, kind->running, systemd_fix_by_restart(seen, kind->service, kind->service),
                "%s", kind->none);
    else if (kind == worker_kinds && other)
        found_with(seen, WORKERS_SERVE_OTHERS, examination_fix_for_other(seen, other),
                   seen->doctor->database, other);
    else if (kind == worker_kinds)
        found(seen, WORKERS_UNSEEN);
}

static void report_workers(struct examination *seen, const struct worker_kind *kind,
                           bool has_socket)
{
    int running = 0, old = 0;
    const char *path = NULL; /* path of an old worker's program */
    for (struct worker *worker = seen->running; worker; worker = worker->next)
        if (&worker_kinds[worker->program] == kind && workers_are_ours(seen, worker)) {
            running++;
            old += worker->is_old;
            path = worker->is_old ? worker->path : path;
        }
    if (old > 0)
        warn(seen, kind->running, print(seen, "systemctl restart %s", kind->service),
             "%d of the workers run%s an older program than the file %s", old, old == 1 ? "s" : "",
             path);
    else if (running > 0)
        fine(seen, kind->running, "%d run%s", running, running == 1 ? "s" : "");
    else if (has_socket)
        report_none(seen, kind);
}

static bool check_units(struct examination *seen)
{
    bool right = units_check_settings(seen, "qsosync-cluster@.service", WORKER_CHECKS_CLUSTER);
    for (const struct worker_kind *kind = worker_kinds; kind < worker_kinds + WORKER_KINDS; kind++)
        right = units_check_logbook(seen, kind->service) &&
                units_check_settings(seen, kind->service, kind->service) && right;
    if (!right || !units_check_masks(seen))
        return false;
    const struct unit *unit = workers_find_socket(seen, worker_kinds);
    const char *folder = unit ? folder_of(unit->port, seen->arena) : NULL;
    /* systemd creates the folder when a socket begins to listen, and never corrects its mode. */
    const char *open = print(seen, "chmod go+x %s", folder ? quote(seen, folder) : "");
    if (!sockets_exist(seen) ||
        (folder && !front_rights_check(seen, "socket", open, "enter", folder, X_OK)))
        return true;
    for (const struct worker_kind *kind = worker_kinds; kind < worker_kinds + WORKER_KINDS;
         kind++) {
        unit = workers_find_socket(seen, kind);
        report_workers(seen, kind, !unit || sockets_check(seen, kind, unit->port));
    }
    units_check_boot(seen);
    return true;
}

void workers_check(struct examination *seen)
{
    if (check_units(seen))
        lock_check(seen);
    programs_check(seen);
    cluster_check(seen);
}
