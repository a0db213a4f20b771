/* The user that a command runs as. Root acts as the owner of a file's folder, and gains nothing by
 * a link there; another user who may not open the logbook is told, in one line, which command to
 * run. What a user may do is found out by src/doctor/access.c. */
#include "admin/owner.h"

#include <errno.h>
#include <string.h>

#include "base/folder.h"
#include "doctor/doctor.h"
#include "store/history.h"
#include "store/logbook.h"
#include "store/operator_log.h"
#include "worker/settings.h"

bool owner_become(const char *path)
{
    if (folder_act_as_owner(path, NULL))
        return true;
    command_refuse("%s: cannot act as the owner of its folder: %s", path, strerror(errno));
    return false;
}

bool owner_may_open(const struct invocation *invocation, const char *path, bool to_write)
{
    struct access_refusal refusal;
    if (!access_find_refusal(invocation->arena, invocation->line, path, to_write, &refusal))
        return true;
    command_refuse("%s belongs to %s; run: %s", refusal.refusing, refusal.owner, refusal.command);
    return false;
}

/* Opens the logbook for the commands, and explains what operators meet first: there is none, or it
 * belongs to another user. Everything else that keeps it closed is logged by the store. Commands
 * whose row says so find it open already. */

bool logbook_open(struct invocation *invocation, const char *path, enum opening opening)
{
    if (!owner_become(path) || !owner_may_open(invocation, path, opening != OPEN_READ_ONLY))
        return false;
    enum store_result result = store_open(path, opening, &invocation->store);
    if (result == STORE_DONE)
        store_act_as_operator(invocation->store, (struct text){0});
    if (result == STORE_NONE)
        command_refuse("%s is not a QSOsync logbook yet; make one with: qsosync-admin --db %s init",
                       path, path);
    if (result == STORE_DONE)
        store_set_history(invocation->store, settings_number(SETTING_HISTORY_DAYS, NULL, NULL),
                          settings_number(SETTING_HISTORY_STATES, NULL, NULL));
    return result == STORE_DONE;
}
