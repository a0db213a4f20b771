/* The program qsosync-admin: reads the command line, opens the logbook as the command's row
 * requires, and runs the command. This file does not depend on any command. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "admin/command.h"
#include "admin/command_line.h"
#include "admin/help.h"
#include "admin/logbook.h"
#include "admin/progress_line.h"
#include "admin/values.h"
#include "base/folder.h"
#include "base/log.h"
#include "installation.h"
#include "store/log/logbook.h"
#include "worker/instance.h"
#include "worker/logbook_path.h"

static struct arena arena;
static struct invocation invocation = {.arena = &arena};

/* Cleans up at the end of the program, even after an error. Root acts as the owner of the logbook's
 * folder, because closing the logbook can remove files next to the logbook. */
static void tidy_up(void)
{
    progress_line_clear();
    if (invocation.store)
        folder_act_as_owner(invocation.database, NULL);
    store_close(invocation.store);
    arena_free(&arena);
}

/* Runs the command that the parsed command line names, or prints the help or the version. */
static void obey(void)
{
    static const enum opening openings[] = {[OPENS_TO_WRITE] = OPEN_EXISTING,
                                            [OPENS_TO_READ] = OPEN_READ_ONLY,
                                            [OPENS_BRIEFLY] = OPEN_BRIEFLY};
    const char *const *words = invocation.arguments;
    const char *database = command_option(&invocation, "db");
    const bool help = *words && strcmp(*words, "help") == 0;
    if (help || command_has_option(&invocation, "help")) {
        help_print(words + help);
        return;
    }
    if (command_has_option(&invocation, "version")) {
        puts("qsosync-admin " QSOSYNC_VERSION);
        return;
    }
    if (database && !*database)
        command_misuse("option --db needs a value");
    if (database)
        invocation.database = database;
    int used = command_line_find_command(&invocation);
    if (!used) {
        help_refuse_words(words);
        return;
    }
    invocation.arguments += used;
    command_line_check(&invocation);
    progress_line_begin();
    const struct command *command = invocation.command;
    if (command->opening != OPENS_ITSELF)
        logbook_open(&invocation, invocation.database, openings[command->opening]);
    if (command->of_member && invocation.arguments[0])
        invocation.member = command_find_member(&invocation, invocation.arguments[0]);
    command->run(&invocation);
}

int main(int count, char **arguments)
{
    const struct rlimit no_core = {0, 0}; /* a core dump could contain a new key */
    const char *environment = getenv("QSOSYNC_DB");
    invocation.database = environment && *environment ? environment : instance_database(&arena);
    invocation.line = (const char *const *)arguments + 1;
    log_set_program("qsosync-admin");
    if (!instance_is_valid())
        command_misuse("QSOSYNC_INSTANCE must be a club's name: at most 20 lower-case letters and "
                       "digits, starting with a letter");
    setrlimit(RLIMIT_CORE, &no_core);
    umask(027);
    atexit(tidy_up);
    command_line_read(count, arguments, &invocation);
    obey();
    return command_finish();
}
