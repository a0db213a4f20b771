/* Checks the settings that a unit gives its programs: a wrong value, with which none starts, and a
 * misspelt name, which has no effect. What is right stands in src/worker/settings.c; the unit, as
 * it is written, is read by machine.c. */
#include "doctor/machine.h"
#include "worker/settings.h"

bool units_check_settings(struct examination *seen, const char *name, const char *restarted)
{
    bool right = true;
    const struct unit *unit = units_read(seen->arena, name);
    for (const struct variable *set = unit->variables; set; set = set->next) {
        struct buffer why = {0};
        enum setting_fault fault = SETTING_FINE;
        if (units_use_logbook(unit, seen->path) && units_find(unit, set->assignment) == set)
            fault = settings_judge(set->assignment, &why);
        const char *fix =
            print(seen, "correct it in %s, then systemctl daemon-reload and systemctl restart %s",
                  set->file, restarted);
        if (fault == SETTING_UNKNOWN)
            warn(seen, "settings", fix, "%s: %.*s: it has no effect", set->file, (int)why.length,
                 why.bytes);
        else if (fault == SETTING_WRONG)
            right = trouble(seen, "settings", fix, "%s: %.*s: no worker starts with this",
                            set->file, (int)why.length, why.bytes);
        buffer_free(&why);
    }
    return right;
}
