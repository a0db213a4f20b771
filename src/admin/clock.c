/* The commands clock check and clock confirm: report whether this machine's clock can be trusted to
 * determine the age of data, and confirm the clock. */
#include "admin/command.h"
#include "admin/output.h"
#include "base/clock.h"
#include "base/datetime.h"
#include "store/ageing.h"
#include "store/clock_confirmation.h"
#include "store/log/logbook.h"

/* Reports whether the clock can be trusted to decide which files are old. qsosync-backup.service
 * runs this command before it removes old files. */
void run_clock_check(struct invocation *invocation)
{
    struct ageing ageing;
    command_require_done(store_read_ageing(invocation->store, &ageing));
    if (!ageing_is_believed(&ageing, clock_wall_ms()))
        command_refuse("the clock differs from the newest write by more than a day, or jumped in "
                       "the last week; run qsosync-admin doctor");
    output_report("the clock agrees with the logbook");
}

void run_clock_confirm(struct invocation *invocation)
{
    char time[DATETIME_TEXT_LENGTH];
    datetime_format(clock_wall_ms(), time);
    command_require_done(store_confirm_clock(invocation->store));
    output_report("the clock, which shows %.16sZ, is confirmed; the removal of old backups and "
                  "changes resumes",
                  time);
}
