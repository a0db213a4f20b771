/* Prints the help. */
#include "admin/help.h"

#include <stdio.h>

#include "admin/command.h"
#include "admin/command_line.h"
#include "base/format.h"
#include "worker/logbook_path.h"

#define USAGE_COLUMNS 56 /* width of the column before the summaries */

void help_print(const char *const *words)
{
    const bool all = !command_line_any_begins(words);
    puts("usage: qsosync-admin [--db FILE] COMMAND\n");
    for (const struct command *command = commands; command->words; command++) {
        char line[320];
        const size_t length =
            format_cut(line, sizeof line, "%s %s", command->words, command->usage);
        if (!all && !command_line_begins(command, words))
            continue;
        if (length > USAGE_COLUMNS)
            printf("  %s\n  %*s  %s\n", line, USAGE_COLUMNS, "", command->summary);
        else
            printf("  %-*s  %s\n", USAGE_COLUMNS, line, command->summary);
    }
    printf("\n  --db FILE    the database; default: QSOSYNC_DB, or else\n"
           "               %s\n",
           logbook_path_default());
    puts("               (QSOSYNC_INSTANCE=CLUB selects one of several clubs)\n"
         "  --json       print JSON, for programs\n"
         "  --help       print this text\n"
         "  --version    print the version");
}

void help_refuse_words(const char *const *words)
{
    const char *first = words[0], *second = first ? words[1] : NULL;
    if (!command_line_any_begins(words))
        command_misuse("unknown command %s%s%s", first, second ? " " : "", second ? second : "");
    command_print_error(EXIT_USAGE, "missing command%s%s; see qsosync-admin --help",
                        first ? " after " : "", first ? first : "");
    help_print(words);
}
