/* Reports damage to the logbook, and failures. A restore repairs only damage. After a disk fault, a
 * denied permission or a lock, a restore would lose QSOs without need. */
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
                "%s; the logbook itself might be intact; see the system log", what);
}
