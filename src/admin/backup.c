/* The command backup: copies the logbook to one file, or adds a copy to a folder of backups. */
#include "admin/activity.h"
#include "admin/backup_folder.h"
#include "admin/backup_record.h"
#include "admin/command.h"
#include "admin/output.h"
#include "admin/values.h"
#include "base/clock.h"
#include "recovery/backup.h"
#include "recovery/backup_note.h"
#include "store/log/logbook.h"

#define KEEP_MAX 9999

void run_backup(struct invocation *invocation)
{
    const char *file = invocation->arguments[0];
    const char *folder = command_option(invocation, "to");
    const bool thins = command_has_option(invocation, "thin");
    const bool keeps = command_has_option(invocation, "keep");
    if (!file == !folder)
        command_misuse("backup takes either FILE or --to DIR");
    if ((keeps || thins) && !folder)
        command_misuse("option --%s needs --to DIR", keeps ? "keep" : "thin");
    if (thins && keeps)
        command_misuse("backup takes either --keep N or --thin");
    const int64_t keep = command_read_number(invocation, "keep", KEEP_MAX, thins ? 0 : -1);
    if (folder) {
        backup_folder_add(invocation, folder, keep);
        return;
    }
    struct backup_note made = {.made_at_ms = clock_wall_ms(), .path = text_of(file)};
    command_expect(store_back_up(invocation->store, file), STORE_CONFLICT,
                   "%s already exists; a backup never overwrites a file", file);
    activity_note(invocation, "backup", (struct text){0}, file, NULL);
    backup_record(invocation, &made);
    output_report("the backup is complete: %s", file);
}
