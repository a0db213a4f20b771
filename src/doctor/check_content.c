/* Checks the content of an open logbook. */
#include "doctor/damage.h"
#include "doctor/findings.h"
#include "doctor/logbook_checks.h"
#include "recovery/check.h"

/* a complete check of a larger logbook would take too long */
#define CHECKED_BYTES_MAX (512 << 20)
#define WORKER_CHECKED_BYTES_MAX (16 << 20) /* a request must end within a second or two */

/* Checks the content. Several problems become one finding, because they probably have the same
 * cause. Returns whether the content has a problem or could not be read. */
bool content_check(struct examination *seen)
{
    struct check_result problems, remarks;
    if (seen->file.st_size >
        (seen->doctor->is_worker ? WORKER_CHECKED_BYTES_MAX : CHECKED_BYTES_MAX)) {
        found(seen, CONTENT_LARGE);
        return false;
    }
    log_keep_first(seen->said);
    enum store_result result = store_check(seen->doctor->store, NULL, NULL, &problems);
    const char *more = problems.count > 1
                           ? print(seen, ", and %lld more problem%s", (long long)problems.count - 1,
                                   problems.count == 2 ? "" : "s")
                           : "";
    if (problems.count && store_has_found_damage())
        damage_report(seen, "content", print(seen, "%s%s", problems.first, more));
    else if (problems.count)
        found(seen, CONTENT_BREAKS_RULE, problems.first, more);
    else if (result != STORE_DONE)
        damage_report_failure(seen, "content",
                              print(seen, "the logbook cannot be read completely: %s", seen->said));
    else if (store_list_remarks(seen->doctor->store, NULL, NULL, &remarks) == STORE_DONE &&
             remarks.count)
        found_with(seen, CONTENT_REMARK, print(seen, CONTENT_REMARK_FIX, seen->quoted),
                   remarks.first);
    else
        found(seen, CONTENT_RIGHT);
    return problems.count || result != STORE_DONE;
}
