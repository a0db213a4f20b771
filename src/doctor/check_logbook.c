/* The checks of this machine, and those of them that a worker can run on its own logbook. Each adds
 * one finding, or one for each thing that is wrong. Where a file or a right keeps the logbook
 * closed, what an attempt to open it would say is left out: one cause, one fix. */
#include "doctor/check_logbook.h"

#include <string.h>

#include "base/folder.h"
#include "base/log.h"
#include "doctor/check_content.h"
#include "doctor/check_files.h"
#include "doctor/check_sites.h"
#include "doctor/check_units.h"
#include "store/logbook.h"

/* -- Opening --------------------------------------------------------------------------------------
 */

static enum store_result open_logbook(struct examination *seen, char said[LOG_KEPT_BYTES])
{
    struct folder_ids before;
    log_keep_first(said);
    bool acting = folder_act_as_owner(seen->path, &before);
    enum store_result result = store_open(seen->path, OPEN_READ_ONLY, &seen->doctor->store);
    if (acting)
        folder_act_as(before);
    log_keep_first(NULL);
    return result;
}

static bool look_at_content(struct examination *seen)
{
    char said[LOG_KEPT_BYTES];
    enum store_result result = open_logbook(seen, said);
    if (result == STORE_NONE)
        findings_add(seen->findings, FINDING_PROBLEM, "database", examination_fix_for_none(seen),
                     "%s is empty", seen->path);
    else if (strstr(said, "newer than"))
        findings_add(seen->findings, FINDING_PROBLEM, "schema",
                     "install the newer QSOsync again, which wrote it last", "%s", said);
    else if (result != STORE_DONE && strstr(said, "not a QSOsync logbook"))
        findings_add(seen->findings, FINDING_PROBLEM, "database",
                     "name the logbook itself in QSOSYNC_DB, or move this file to another place",
                     "%s", said);
    else if (result != STORE_DONE)
        check_content_report_failure(seen, "database", *said ? said : "it cannot be opened");
    return result == STORE_DONE;
}

/* -- All of it --------------------------------------------------------------------------------- */

void check_logbook_of_worker(struct doctor *doctor, struct findings *findings)
{
    struct examination seen;
    examination_begin(&seen, doctor, findings);
    if (stat(seen.path, &seen.file) != 0)
        return;
    check_files_space(&seen);
    check_files_system(&seen);
    check_content(&seen);
}

void check_logbook(struct doctor *doctor, struct findings *findings)
{
    struct examination seen;
    examination_begin(&seen, doctor, findings);
    if (check_files_find(&seen)) {
        bool usable = check_files_owners(&seen);
        usable = check_files_folder(&seen) && usable;
        check_files_space(&seen);
        check_files_system(&seen);
        if (usable && look_at_content(&seen))
            check_content(&seen);
    }
    if (check_units_settings(doctor, findings))
        check_workers(doctor, &seen.workers, findings);
    check_units_installed(doctor, findings);
    check_sites(&seen);
}
