/* The command init: creates the logbook, or updates the schema of an existing logbook. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "admin/command.h"
#include "admin/logbook.h"
#include "admin/output.h"
#include "base/folder.h"
#include "store/log/logbook.h"
#include "store/log/logbook_status.h"
#include "store/people/reviews.h"
#include "store/store.h"

/* Warns if no member is an operator. Versions without sessions had no operators, so the role can be
 * missing after an upgrade. */
static void mention_operators(struct invocation *invocation)
{
    struct logbook_status status;
    if (store_read_status(invocation->store, &status) == STORE_DONE && status.active_members > 0 &&
        status.operators == 0)
        command_warn(
            "no member is an operator, so nobody can open /operator/; appoint an operator with: "
            "qsosync-admin member set CALLSIGN --operator on");
}

/* Creates or updates the logbook. Also removes the file with passwords for the web server, which
 * versions without sessions created. */
void run_init(struct invocation *invocation)
{
    char path[PATH_MAX];
    const char *logbook = invocation->database;
    logbook_check_owner(invocation, logbook, true);
    enum store_result result = store_open(logbook, OPEN_EXISTING, &invocation->store);
    if (result == STORE_DONE)
        output_write(stdout,
                     store_was_brought_forward(invocation->store)
                         ? "%s is already a logbook; its schema was brought up to date\n"
                         : "%s is already a logbook; nothing was changed\n",
                     logbook);
    if (result == STORE_NONE) {
        command_require_done(store_open(logbook, OPEN_OR_CREATE, &invocation->store));
        output_report("created %s", logbook);
    } else {
        command_require_done(result);
    }
    command_require_done(store_prepare(invocation->store));
    command_require_done(store_review_all(invocation->store));
    if (folder_path_beside(logbook, "-logins", path) && unlink(path) == 0)
        output_write(stdout, "removed %s, left by an older version\n", path);
    else if (errno != ENOENT)
        command_refuse("%s: %s", path, strerror(errno));
    mention_operators(invocation);
}
