/* Opens the logbook for the commands, and explains what operators meet first: there is none, or it
 * belongs to another user. Everything else that keeps it closed is logged by the store. Commands
 * whose row says so find it open already. */
#include "admin/logbook.h"

#include "admin/owner.h"
#include "store/history.h"
#include "store/logbook.h"
#include "store/operator_log.h"
#include "worker/settings.h"

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
