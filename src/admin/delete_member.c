/* The command member delete. It asks first, and offers to write everything that the service holds
 * about the member to a file for them (export_member.c). What is deleted with a member is decided
 * by the schema's foreign keys and the store. */
#include "admin/delete_member.h"

#include <stdio.h>
#include <strings.h>
#include <unistd.h>

#include "admin/export_member.h"
#include "admin/find_member.h"
#include "store/members.h"

/* False after a line on standard error. */
static bool ask(const struct member *member)
{
    char answer[16];
    if (!isatty(STDIN_FILENO)) {
        command_refuse(
            "nobody is there to be asked; member delete --yes deletes without a question");
        return false;
    }
    fprintf(stderr, "Delete %s with %lld QSOs and %lld active keys? [y/N] ", member->callsign.bytes,
            (long long)member->qso_count, (long long)member->active_key_count);
    if (fgets(answer, sizeof answer, stdin) &&
        (strcasecmp(answer, "y\n") == 0 || strcasecmp(answer, "yes\n") == 0))
        return true;
    command_refuse("nothing was deleted");
    return false;
}

/* Nothing may be added to the log after its export. After a failure the member is enabled again if
 * they were before. */
static bool export_first(struct invocation *invocation, const struct member *member)
{
    const char *path = command_option(invocation, "export");
    if (store_set_member_active(invocation->store, member->id, false) != STORE_DONE)
        return false;
    if (!path || export_member(invocation, member, path))
        return true;
    if (member->active)
        store_set_member_active(invocation->store, member->id, true);
    return false;
}

int delete_member(struct invocation *invocation)
{
    struct member member;
    if (!find_member(invocation, &member))
        return EXIT_REFUSED;
    if (!command_has_option(invocation, "yes") && !ask(&member))
        return EXIT_REFUSED;
    if (!export_first(invocation, &member))
        return EXIT_REFUSED;
    if (store_delete_member(invocation->store, member.id) != STORE_DONE)
        return command_refuse("%s is disabled now, but not all is deleted; run the command again",
                              member.callsign.bytes);
    command_warn("backups still hold the log of %s; restoring one leaves it out",
                 member.callsign.bytes);
    return command_say("deleted %s", member.callsign.bytes);
}
