/* Opens the logbook as the owner of its folder. src/base/access.c decides what a user may do. */
#include "admin/logbook.h"

#include <errno.h>
#include <string.h>

#include "admin/command.h"
#include "base/access.h"
#include "base/folder.h"
#include "store/log/edits.h"
#include "store/log/logbook.h"
#include "store/operator_log.h"
#include "store/storage.h"
#include "worker/settings.h"

void logbook_check_owner(const struct invocation *invocation, const char *path, bool to_write)
{
    if (!folder_act_as_owner(path, NULL))
        command_refuse("%s: cannot act as the owner of its folder: %s", path, strerror(errno));
    const char *command, *refusal = access_find_refusal(invocation->arena, invocation->line, path,
                                                        to_write, &command);
    if (refusal)
        command_refuse("%s; run: %s", refusal, command);
}

void logbook_open(struct invocation *invocation, const char *path, enum opening opening)
{
    logbook_check_owner(invocation, path, opening != OPEN_READ_ONLY);
    command_expect(store_open(path, opening, &invocation->store), STORE_NONE,
                   "%s is not a QSOsync logbook yet; create one with: qsosync-admin --db %s init",
                   path, path);
    store_act_as_operator(invocation->store, (struct text){0});
    store_set_history(invocation->store, settings_number(SETTING_HISTORY_DAYS, NULL, NULL),
                      settings_number(SETTING_HISTORY_STATES, NULL, NULL));
    store_set_storage(invocation->store, settings_number(SETTING_MEMBER_MIB, NULL, NULL) << 20);
}
