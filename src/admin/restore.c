/* The command restore: replaces the logbook, or one log, with a backup. src/recovery does the work.
 */
#include <stdio.h>
#include <stdlib.h>

#include "admin/activity.h"
#include "admin/command.h"
#include "admin/logbook.h"
#include "admin/output.h"
#include "admin/restore_report.h"
#include "admin/values.h"
#include "base/datetime.h"
#include "recovery/backups.h"
#include "recovery/restore.h"
#include "recovery/restore_member.h"
#include "store/people/members.h"

static void restore_member(struct invocation *invocation, const char *callsign, bool takes_other)
{
    struct restored_log log;
    const char *backup = invocation->arguments[0];
    logbook_open(invocation, invocation->database, OPEN_EXISTING);
    const struct member member = command_find_member(invocation, callsign);
    enum store_result result = store_restore_member(invocation->store, &member, backup, takes_other,
                                                    invocation->arena, &log);
    if (result == STORE_REFUSED)
        restore_report_refuse(invocation, &log.backup, &log.present);
    if (result == STORE_NONE)
        command_refuse("%s contains no log for %s; nothing was restored", backup,
                       member.callsign.bytes);
    if (result != STORE_DONE && !log.kept)
        exit(EXIT_REFUSED);
    activity_note(invocation, "restore", member.callsign, backup,
                  arena_print(invocation->arena, "%lld restored, %lld changed back, %lld deleted",
                              (long long)log.restored, (long long)log.changed_back,
                              (long long)log.deleted));
    restore_report_print_log(&log);
    if (result != STORE_DONE)
        command_refuse("the log of %s is only partly restored; run the command again",
                       member.callsign.bytes);
}

/* Returns the path of the folder's newest backup by content. The times in file names do not count,
 * because the clock may have been wrong. */
static const char *find_newest(struct invocation *invocation, const char *folder)
{
    size_t count;
    char time[DATETIME_TEXT_LENGTH];
    logbook_check_owner(invocation, folder, false);
    const struct backup_file *files = backups_list(folder, invocation->arena, &count);
    const struct backup_file *newest = backups_find_newest(files, count);
    if (newest) {
        datetime_format(newest->stamp_ms, time);
        output_write(stdout, "the newest backup by content: %s, last write %.16sZ\n", newest->path,
                     time);
        fflush(stdout);
        return newest->path;
    }
    command_refuse("%s contains no readable backup", folder);
}

/* Returns the path of the backup that the argument names, or of the newest backup in the folder of
 * --newest. The path also becomes the first argument. */
static const char *take_backup(struct invocation *invocation)
{
    const char *folder = command_option(invocation, "newest");
    if (!invocation->arguments[0] == !folder)
        command_misuse("restore takes either FILE or --newest FOLDER");
    if (!folder)
        return invocation->arguments[0];
    const char **arguments = arena_allocate_zeroed(invocation->arena, 2 * sizeof *arguments);
    arguments[0] = find_newest(invocation, folder);
    invocation->arguments = arguments;
    return arguments[0];
}

void run_restore(struct invocation *invocation)
{
    struct restored restored;
    const char *callsign = command_option(invocation, "member");
    const char *logbook = invocation->database;
    const bool takes_other = command_has_option(invocation, "other-logbook");
    logbook_check_owner(invocation, logbook, true);
    const char *backup = take_backup(invocation);
    logbook_check_owner(invocation, backup, false);
    logbook_check_owner(invocation, logbook, true);
    if (callsign) {
        restore_member(invocation, callsign, takes_other);
        return;
    }
    enum store_result result =
        store_restore(logbook, backup, takes_other, invocation->arena, &restored);
    if (result == STORE_REFUSED)
        restore_report_refuse(invocation, &restored.backup, &restored.old);
    command_require_done(result);
    restore_report_print(invocation, &restored);
}
