/* Checks the workers' systemd units: the logbook and the settings in their environment, and whether
 * units are masked or disabled. */
#include <unistd.h>

#include "doctor/findings.h"
#include "doctor/systemd.h"
#include "doctor/units.h"
#include "doctor/worker_checks.h"
#include "doctor/workers.h"
#include "worker/settings.h"

/* Checks which logbook the unit serves. If the unit's logbook exists, the doctor cannot decide
 * which logbook is right. If the unit's logbook is missing, its name is probably mistyped. */
bool units_check_logbook(struct examination *seen, const char *name)
{
    const struct unit *unit = units_read(seen->arena, name);
    const char *other = units_value(unit, "QSOSYNC_DB=");
    if (!other || units_use_logbook(unit, seen->path))
        return true;
    const char *file = units_find(unit, "QSOSYNC_DB=")->file;
    if (access(other, F_OK) == 0)
        return found_with(seen, WORKERS_SERVE_ANOTHER, examination_fix_for_other(seen, other), name,
                          other, file);
    return found_with(seen, SETTINGS_NAME_NONE, print(seen, SETTINGS_NAME_NONE_FIX, file, name),
                      file, other, seen->doctor->database);
}

/* Reports invalid values, with which no worker starts, and misspelt names. src/worker/settings.c
 * has the rules. */
bool units_check_settings(struct examination *seen, const char *name, const char *restarted)
{
    bool right = true;
    const struct unit *unit = units_read(seen->arena, name);
    for (const struct variable *set = unit->variables; set; set = set->next) {
        struct buffer why = {0};
        enum setting_fault fault = SETTING_FINE;
        if (units_use_logbook(unit, seen->path) && units_find(unit, set->assignment) == set)
            fault = settings_find_fault(set->assignment, &why);
        const char *fix = print(seen, SETTINGS_WRONG_FIX, set->file, restarted);
        if (fault == SETTING_UNKNOWN)
            found_with(seen, SETTINGS_UNKNOWN, fix, set->file, (int)why.length, why.bytes);
        else if (fault == SETTING_WRONG)
            right = found_with(seen, SETTINGS_WRONG, fix, set->file, (int)why.length, why.bytes);
        buffer_free(&why);
    }
    return right;
}

bool units_check_masks(struct examination *seen)
{
    const char *names = "";
    for (const struct worker_kind *kind = worker_kinds;
         kind < worker_kinds + WORKER_KINDS && !*examination_option(seen); kind++) {
        names = systemd_has_masked(seen, kind->socket) ? print(seen, "%s %s", names, kind->socket)
                                                       : names;
        names = systemd_has_masked(seen, kind->service) ? print(seen, "%s %s", names, kind->service)
                                                        : names;
    }
    return !*names ||
           found_with(seen, UNITS_MASKED, print(seen, UNITS_MASKED_FIX, names, names), names);
}

/* Checks that the units start at boot. Either the socket or the service must be enabled, because
 * each starts the other. */
void units_check_boot(struct examination *seen)
{
    static const char *const is_disabled = "! systemctl is-enabled --quiet \"$name\" 2> /dev/null";
    const char *names = "";
    for (const struct worker_kind *kind = worker_kinds; kind < worker_kinds + WORKER_KINDS; kind++)
        if (workers_find_socket(seen, kind) && systemd_finds(seen, is_disabled, kind->socket) &&
            systemd_finds(seen, is_disabled, kind->service))
            names = print(seen, "%s %s %s", names, kind->socket, kind->service);
    if (*names)
        found_with(seen, UNITS_DISABLED, print(seen, UNITS_DISABLED_FIX, names), names);
}
