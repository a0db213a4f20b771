/* Examines the state of systemd units, and names the commands that start and restart units. */
#include "doctor/systemd.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "doctor/units.h"
#include "installation.h"
#include "worker/instance.h"

#define SYSTEMD "/run/systemd/system" /* exists while systemd runs */

bool systemd_finds(struct examination *seen, const char *format, const char *name)
{
    const char *unit = instance_adapt(seen->arena, name);
    return access(SYSTEMD, F_OK) == 0 &&
           system(print(seen, "name=%s; %s", quote(seen, unit), format)) == 0;
}

/* Returns the fix. If the service cannot start, a restart does not help, and systemd's journal has
 * the cause. The service's state is never "failed", because systemd tries again, so the Result
 * counts. */
const char *systemd_fix_by_restart(struct examination *seen, const char *service, const char *names)
{
    const char *restart = print(seen, "systemctl restart %s", names);
    const bool has_failed = systemd_finds(
        seen, "systemctl show -P Result \"$name\" 2> /dev/null | grep -qvx success", service);
    return has_failed
               ? print(seen, "fix what journalctl -u %s -n 20 reports, then %s", service, restart)
               : restart;
}

/* Returns whether the unit is masked, which means that a link to /dev/null hides the shipped file.
 */
bool systemd_has_masked(struct examination *seen, const char *name)
{
    char target[sizeof "/dev/null"] = "";
    const char *path = print(seen, "/etc/systemd/system/%s", instance_adapt(seen->arena, name));
    return readlink(path, target, sizeof target) == (ssize_t)strlen("/dev/null") &&
           memcmp(target, "/dev/null", strlen("/dev/null")) == 0;
}

const char *systemd_fix_by_timer(struct examination *seen, const char *name, const char *otherwise)
{
    const char *before = "", *timer = print(seen, "%s.timer", name);
    if (strcmp(seen->doctor->database, QSOSYNC_DEFAULT_DB) != 0 || access(SYSTEMD, F_OK) != 0)
        return otherwise;
    if (systemd_has_masked(seen, timer) ||
        systemd_has_masked(seen, print(seen, "%s.service", name)))
        before = print(seen, "systemctl unmask %s %s.service && ", timer, name);
    else if (!units_read(seen->arena, timer)->path)
        before =
            print(seen, "cp " QSOSYNC_SHARED_FILES "/service/%s.* /etc/systemd/system/ && ", name);
    return print(seen, "%ssystemctl enable --now %s && systemctl start %s.service", before, timer,
                 name);
}
