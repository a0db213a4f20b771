/* The command check: looks for damage in the logbook or a backup. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "admin/command.h"
#include "admin/logbook.h"
#include "admin/output.h"
#include "admin/progress_line.h"
#include "base/clock.h"
#include "base/datetime.h"
#include "recovery/check.h"
#include "store/log/logbook.h"
#include "store/log/logbook_status.h"

/* stamps less than five minutes ahead of the clock, as after a power cut, are not mentioned */
#define FUTURE_MS (5 * 60 * 1000)

static void print_problem(void *context, const char *problem)
{
    (void)context;
    progress_line_clear();
    output_write(stdout, "%s\n", problem);
}

static void mention(void *context, const char *remark)
{
    (void)context;
    command_warn("%s", remark);
}

/* Warns about stamps in the future. Such stamps are not a problem, because stamps only have to
 * increase, but they could puzzle an operator. */
static void mention_future(struct store *store)
{
    int64_t stamp_ms;
    char text[DATETIME_TEXT_LENGTH];
    if (store_find_last_stamp(store, &stamp_ms) != STORE_DONE ||
        stamp_ms < clock_wall_ms() + FUTURE_MS)
        return;
    datetime_format(stamp_ms, text);
    command_warn("the newest syncedAt, %.*s, is ahead of the clock; new values rise in small steps "
                 "until the clock has caught up",
                 DATETIME_TEXT_LENGTH, text);
}

void run_check(struct invocation *invocation)
{
    const char *file = invocation->arguments[0];
    const char *path = file ? file : invocation->database;
    struct check_result problems, remarks;
    if (file && access(file, F_OK) != 0 && errno == ENOENT)
        command_refuse("%s: %s", file, strerror(errno));
    logbook_open(invocation, path, OPEN_READ_ONLY);
    mention_future(invocation->store);
    enum store_result result = store_check(invocation->store, print_problem, NULL, &problems);
    if (result == STORE_DONE && problems.count)
        command_refuse("%s has %lld problem%s", path, (long long)problems.count,
                       problems.count == 1 ? "" : "s");
    command_require_done(
        THEN(result, store_list_remarks(invocation->store, mention, NULL, &remarks)));
    output_report("no problems found");
}
