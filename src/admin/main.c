/* The program qsosync-admin: it reads the command line, opens the logbook as the command's row
 * says, runs the command, and prints the help. The groups of commands are listed in command.h; this
 * file knows none of them. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "admin/arguments.h"
#include "admin/command.h"
#include "base/log.h"
#include "installation.h"
#include "store/logbook.h"
#include "worker/instance.h"

#define USAGE_COLUMNS 56 /* of the help, before the summaries */

#define GROUP_ROW(group) group##_commands,
static const struct command *const groups[] = {COMMAND_GROUPS(GROUP_ROW) NULL};

static int print_version(void)
{
    puts("qsosync-admin " QSOSYNC_VERSION);
    return command_finish_output();
}

static void print_command(const struct command *command)
{
    char line[240];
    int length = snprintf(line, sizeof line, "%s %s", command->words, command->usage);
    if (length > USAGE_COLUMNS)
        printf("  %s\n  %*s  %s\n", line, USAGE_COLUMNS, "", command->summary);
    else
        printf("  %-*s  %s\n", USAGE_COLUMNS, line, command->summary);
}

/* About the commands that begin with the words, or about all if none does. */
static int print_help(const char *const *words)
{
    static const char *const all[] = {NULL};
    puts("usage: qsosync-admin [--db FILE] COMMAND\n");
    if (arguments_each_command(groups, words, print_command) == 0)
        arguments_each_command(groups, all, print_command);
    printf("\n  --db FILE    the database; otherwise QSOSYNC_DB, otherwise\n"
           "               %s\n",
           logbook_path_default());
    puts("               (QSOSYNC_INSTANCE=CLUB: that of one of several clubs here)\n"
         "  --json       a list for programs\n"
         "  --help       this text\n"
         "  --version    the version");
    return command_finish_output();
}

static int run(struct invocation *invocation)
{
    static const enum opening openings[] = {[OPENS_TO_WRITE] = OPEN_EXISTING,
                                            [OPENS_TO_READ] = OPEN_READ_ONLY,
                                            [OPENS_BRIEFLY] = OPEN_BRIEFLY};
    enum command_opening opening = invocation->command->opening;
    progress_line_begin();
    if (opening != OPENS_ITSELF &&
        !logbook_open(invocation, invocation->database, openings[opening]))
        return EXIT_REFUSED;
    bool found = !invocation->command->of_member || !invocation->arguments[0] ||
                 find_member(invocation, invocation->arguments[0], &invocation->member);
    int status = found ? invocation->command->run(invocation) : EXIT_REFUSED;
    store_close(invocation->store);
    progress_line_clear();
    return status;
}

int main(int count, char **arguments)
{
    const struct rlimit no_core = {0, 0}; /* it could hold a new key */
    struct arena arena = {0};
    const char *environment = getenv("QSOSYNC_DB");
    struct invocation invocation = {
        .database = environment && *environment ? environment : instance_database(&arena),
        .line = (const char *const *)arguments + 1,
        .arena = &arena,
    };
    enum arguments_wish wish = WISH_RUN;

    log_set_program("qsosync-admin");
    if (!instance_is_valid())
        return command_misuse(
            "QSOSYNC_INSTANCE must be the name of a club: small letters and digits, "
            "a letter first, at most 20");
    setrlimit(RLIMIT_CORE, &no_core);
    umask(027);
    int status = arguments_read(groups, count, arguments, &invocation, &wish);
    if (wish == WISH_HELP) {
        int printed = print_help(invocation.arguments);
        status = status == EXIT_DONE ? printed : status;
    } else if (status == EXIT_DONE && wish == WISH_VERSION)
        status = print_version();
    else if (status == EXIT_DONE)
        status = run(&invocation);
    arena_free(&arena);
    return status;
}
