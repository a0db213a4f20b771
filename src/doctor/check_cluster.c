/* Checks that systemd listens on the port of the cluster feed, if the feed is enabled. */
#include <stdlib.h>
#include <string.h>

#include "doctor/findings.h"
#include "doctor/systemd.h"
#include "doctor/units.h"
#include "doctor/worker_checks.h"
#include "installation.h"

#define CLUSTER WORKER_CHECKS_CLUSTER
#define ENABLED "/etc/systemd/system/sockets.target.wants/" CLUSTER /* a link to the unit */

/* Checks the port. Does not connect to the port, because systemd would start a program for the
 * connection. */
void cluster_check(struct examination *seen)
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
    else if (systemd_finds(seen, "! systemctl is-active --quiet \"$name\" 2> /dev/null", CLUSTER))
        found(seen, CLUSTER_PORT_TAKEN, port);
    else
        found(seen, CLUSTER_LISTENS, port);
}
