/* The command backup: a copy of the logbook, as one file or in a folder of copies from which the
 * oldest are deleted. Root acts as the owner of the folder. Copying, and the note of the last
 * backup, is left to src/recovery, the names in a folder to backup_folder.c. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "admin/backup_folder.h"
#include "admin/command.h"
#include "admin/note_act.h"
#include "base/clock.h"
#include "base/folder.h"
#include "recovery/backup.h"

#define KEEP_MAX 9999

static int note(struct invocation *invocation, int64_t made_at_ms, const char *path)
{
    char *absolute = realpath(path, NULL);
    struct backup_note made = {made_at_ms, text_of(absolute ? absolute : path)};
    const bool noted = store_note_backup(invocation->store, &made);
    free(absolute);
    const int status = note_act(invocation, "backup", (struct text){0}, path, NULL);
    return noted ? status : EXIT_REFUSED;
}

static int back_up_to_file(struct invocation *invocation, const char *path)
{
    int64_t now_ms = clock_wall_ms();
    enum store_result result = store_back_up(invocation->store, path);
    if (result == STORE_CONFLICT)
        return command_refuse("%s exists already; a backup never overwrites a file", path);
    if (result != STORE_DONE)
        return EXIT_REFUSED;
    int noted = note(invocation, now_ms, path);
    int said = command_say("the copy is complete: %s", path);
    return said == EXIT_DONE ? noted : said;
}

static int back_up_to_folder(struct invocation *invocation, const char *folder, int64_t keep)
{
    int64_t now_ms = clock_wall_ms();
    struct folder_ids before;
    if (!folder_act_as_owner(folder, &before))
        return command_refuse("%s: %s", folder, strerror(errno));
    const char *path = backup_folder_add(invocation, folder, now_ms);
    bool thinned = path && (keep == 0 || backup_folder_thin(invocation, folder, keep));
    folder_act_as(before);
    int noted = path ? note(invocation, now_ms, path) : EXIT_DONE;
    if (!thinned)
        return EXIT_REFUSED;
    int said = command_say("the copy is complete and has no problems: %s", path);
    return said == EXIT_DONE ? noted : said;
}

static int backup(struct invocation *invocation)
{
    const char *file = invocation->arguments[0];
    const char *folder = command_option(invocation, "to");
    const char *wanted_keep = command_option(invocation, "keep");
    int64_t keep = 0;
    if (!file == !folder)
        return command_misuse("backup takes either FILE or --to DIR");
    if (wanted_keep && !folder)
        return command_misuse("option --keep needs --to DIR");
    if (wanted_keep && !text_parse_integer(text_of(wanted_keep), 1, KEEP_MAX, &keep))
        return command_misuse("option --keep takes an integer from 1 to %d", KEEP_MAX);
    return file ? back_up_to_file(invocation, file) : back_up_to_folder(invocation, folder, keep);
}

const struct command backup_commands[] = {
    {.words = "backup",
     .usage = "FILE | --to DIR [--keep N]",
     .summary = "copy the logbook while the service goes on",
     .run = backup},
    {0},
};
