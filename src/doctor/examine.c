/* Runs the checks for a logbook in order, for the command and for a worker. */
#include <sys/stat.h>

#include "base/log.h"
#include "doctor/checks.h"
#include "doctor/doctor.h"
#include "doctor/examination.h"

void doctor_examine_as_worker(struct doctor *doctor)
{
    struct examination seen;
    examination_begin(&seen, doctor);
    if (stat(seen.path, &seen.file) == 0) {
        disk_check(&seen);
        logbook_check_content(&seen);
    }
    log_keep_first(NULL);
}

void doctor_examine_logbook(struct doctor *doctor)
{
    struct examination seen;
    examination_begin(&seen, doctor);
    seen.running = processes_find_workers(seen.arena);
    bool usable = files_check(&seen);
    lock_find_writer(&seen);
    if (usable)
        logbook_check(&seen);
    workers_check(&seen);
    fronts_check(&seen);
    log_keep_first(NULL);
}
