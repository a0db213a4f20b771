/* Checks the last backup of the logbook. */
#include <errno.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/datetime.h"
#include "doctor/findings.h"
#include "doctor/logbook_checks.h"
#include "doctor/systemd.h"
#include "recovery/backup.h"
#include "recovery/backup_note.h"

#define BACKUP_DAYS_MAX 2

static const char *plural(long long number)
{
    return number == 1 ? "" : "s";
}

/* Checks the last backup. A logbook with a problem is not backed up (src/admin/backup_folder.c), so
 * another backup cannot be the fix. */
void backups_check(struct examination *seen, bool has_problem)
{
    struct backup_note note;
    /* The fix is the shipped timer if it fits this installation, and otherwise a single backup,
     * because the operator could have their own schedule. */
    const char *folder = quote(seen, print(seen, "%s/backups", seen->folder));
    const char *fix = systemd_fix_by_timer(
        seen, "qsosync-backup",
        print(seen, "install -d -m 750 -o %s %s && qsosync-admin --db %s backup --to %s --thin",
              quote(seen, seen->workers.name), folder, seen->quoted, folder));
    if (has_problem)
        fix = "repair the logbook first; until then no backups are made";
    if (backup_note_read(seen->path, seen->arena, &note) != STORE_DONE) {
        found_with(seen, BACKUP_MISSING, fix);
        return;
    }
    long long minutes = (clock_wall_ms() - note.handed_at_ms) / DATETIME_MINUTE_MS;
    if (note.failure.length > 0)
        found(seen, BACKUP_NOT_HANDED_ON, (int)note.failure.length, note.failure.bytes,
              note.handed_at_ms ? print(seen, "%lld minute%s ago", minutes, plural(minutes))
                                : "none");
    long long days = (clock_wall_ms() - note.made_at_ms) / DATETIME_DAY_MS;
    bool is_gone = access(note.path.bytes, F_OK) != 0 && errno == ENOENT;
    if (is_gone || backup_is_cut_short(note.path.bytes))
        found_with(seen, BACKUP_GONE, fix, note.path.bytes, is_gone ? "gone" : "incomplete", days,
                   plural(days));
    else
        found_at(seen, days >= BACKUP_DAYS_MAX ? FINDING_WARNING : FINDING_OK, BACKUP_AGE, fix,
                 note.path.bytes, days, plural(days));
}
