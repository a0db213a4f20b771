/* Reports damage and failures of the logbook. A restore repairs only damage. For a disk fault, a
 * missing right or a lock, it would lose QSOs for nothing. */
#include "doctor/damage.h"

#include "doctor/findings.h"

void damage_report(struct examination *seen, const char *check, const char *what)
{
    const char *fix = seen->doctor->is_worker ? examination_fix_for_other(seen, seen->path)
                                              : examination_restore(seen, &what);
    if (!fix)
        fix = "look for a backup of this logbook; see RESTORING in qsosync-backup(7)";
    trouble(seen, check, fix, "%s", what);
}

void damage_report_failure(struct examination *seen, const char *check, const char *what)
{
    if (store_has_found_damage())
        damage_report(seen, check, what);
    else
        trouble(seen, check, "journalctl -k -p warning -n 30",
                "%s; the logbook itself may be intact; see the system log", what);
}
