/* Reports the outcome of a restore. */
#ifndef QSOSYNC_ADMIN_RESTORE_REPORT_H
#define QSOSYNC_ADMIN_RESTORE_REPORT_H

#include "admin/command.h"
#include "recovery/restored.h"

/* Opens the restored logbook, records the restore, and prints the logbook's content and the sources
 * of values that differ. */
void restore_report_print(struct invocation *invocation, const struct restored *restored);

/* Prints the counts for the restore of one log. Call this function even after a failure, because
 * finished work is kept. */
void restore_report_print_log(const struct restored_log *log);

/* Ends the program with a message that describes the backup's logbook and the current logbook. The
 * caller has found that the backup is from another logbook. */
_Noreturn void restore_report_refuse(const struct invocation *invocation,
                                     const struct restored_side *backup,
                                     const struct restored_side *present);

#endif
