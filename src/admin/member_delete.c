/* The command member delete: asks for confirmation, and can write all of the member's data to a
 * file. The file must be on the disk before anything is deleted. transfer/member_export.c writes
 * the content; the schema's foreign keys and the store delete the member's data. */
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <unistd.h>

#include "admin/command.h"
#include "admin/new_file.h"
#include "admin/output.h"
#include "admin/values.h"
#include "base/clock.h"
#include "store/people/member_deletion.h"
#include "store/people/members.h"
#include "transfer/member_export.h"

static bool write_piece(void *context, const char *bytes, size_t length)
{
    FILE *file = context;
    return fwrite(bytes, 1, length, file) == length;
}

/* Writes all data about the member, without secrets, as a JSON object. */
static bool write_everything(void *context, FILE *file)
{
    struct invocation *invocation = context;
    return member_export_write(invocation->store, &invocation->member, clock_wall_ms(), write_piece,
                               file) == STORE_DONE;
}

static void ask(const struct member *member)
{
    char answer[16];
    if (!isatty(STDIN_FILENO))
        command_refuse("cannot ask for confirmation without a terminal; member delete --yes skips "
                       "the question");
    output_write(stderr, "Delete %s (QSOs: %lld, active keys: %lld)? [y/N] ",
                 member->callsign.bytes, (long long)member->qso_count,
                 (long long)member->active_key_count);
    if (!fgets(answer, sizeof answer, stdin) ||
        (strcasecmp(answer, "y\n") != 0 && strcasecmp(answer, "yes\n") != 0))
        command_refuse("nothing was deleted");
}

/* Deletes the member. The member is disabled before the export, because nothing may be added to the
 * log after the export. If the export fails, the member's previous state is restored. */
void run_member_delete(struct invocation *invocation)
{
    const struct member *member = &invocation->member;
    const char *path = command_option(invocation, "export");
    if (!command_has_option(invocation, "yes"))
        ask(member);
    command_require_done(store_set_member_active(invocation->store, member->id, false));
    if (path && !new_file_fill(path, write_everything, invocation)) {
        if (member->active)
            store_set_member_active(invocation->store, member->id, true);
        exit(EXIT_REFUSED);
    }
    if (store_delete_member(invocation->store, member->id) != STORE_DONE)
        command_refuse("%s is now disabled, but only partly deleted; run the command again",
                       member->callsign.bytes);
    command_warn("backups still contain the log of %s, but a restore leaves out deleted members",
                 member->callsign.bytes);
    output_report("deleted %s", member->callsign.bytes);
}
