/* The user that a command runs as. Root acts as the owner of a file's folder, and gains nothing by
 * a link there; another user who may not open the logbook is told, in one line, which command to
 * run. What a user may do is found out by src/doctor/access.c. */
#include "admin/owner.h"

#include <errno.h>
#include <string.h>

#include "base/folder.h"
#include "doctor/doctor.h"

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
