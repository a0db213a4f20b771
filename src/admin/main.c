/* The program qsosync-admin: reads the command line, opens the logbook as the command's row says,
 * runs the command, and prints the help. getopt_long removes the options of all commands. The first
 * one or two remaining words name the command. Its row has the valid arguments and options, which
 * src/build/commands reads from the usage. This file does not depend on any command. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "admin/command.h"
#include "base/folder.h"
#include "base/format.h"
#include "base/log.h"
#include "installation.h"
#include "store/log/logbook.h"
#include "worker/instance.h"
#include "worker/logbook_path.h"

#define USAGE_COLUMNS 56 /* columns of the help before the summaries */
#define FIRST_OPTION 256 /* getopt_long's value for the first option; above every character */

#define ROW(words, usage, summary, opening, ...)                                                   \
    {words, usage, summary, OPENS_##opening, __VA_ARGS__},
#define WORDS(...)                                                                                 \
    (const char *const[])                                                                          \
    {                                                                                              \
        __VA_ARGS__ NULL                                                                           \
    }
static const struct command commands[] = {
#include "schema/commands.inc"
    {0},
};

/* The options of all commands; the first few work without a command. */
#define OPTION(number, name, has_value) {name, has_value, NULL, FIRST_OPTION + (number)},
#define COMMON_OPTIONS WORDS("db", "help", "version", )
static const struct option options[] = {
#include "schema/command_options.inc"
    {0},
};

/* -- The command line -------------------------------------------------------------------------- */

static _Noreturn void refuse_option(char **arguments, int found)
{
    const struct option *known = optopt >= FIRST_OPTION ? &options[optopt - FIRST_OPTION] : NULL;
    if (found == ':')
        command_misuse("option --%s needs a value", known->name);
    if (known)
        command_misuse("option --%s takes no value", known->name);
    if (optopt)
        command_misuse("unknown option -%c", optopt);
    command_misuse("unknown option %s", arguments[optind - 1]);
}

/* Options may be anywhere, as --name VALUE or --name=VALUE, except after --. The invocation's
 * arguments then hold all other words. */
static void take_apart(int count, char **arguments, struct invocation *invocation)
{
    struct arena *arena = invocation->arena;
    int found;
    const char **words = arena_allocate_zeroed(arena, ((size_t)count + 1) * sizeof *words);
    struct option_given *given = arena_allocate(arena, (size_t)count * sizeof *given);
    invocation->arguments = words;
    invocation->options = given;
    /* "-": words are returned in their order; ":": a missing value is reported in its own way. */
    while ((found = getopt_long(count, arguments, "-:h", options, NULL)) != -1)
        if (found == 1)
            *words++ = optarg;
        else if (found == 'h')
            given[invocation->option_count++] = (struct option_given){"help", ""};
        else if (found >= FIRST_OPTION)
            given[invocation->option_count++] =
                (struct option_given){options[found - FIRST_OPTION].name, optarg ? optarg : ""};
        else
            refuse_option(arguments, found);
    while (optind < count) /* after -- */
        *words++ = arguments[optind++];
}

/* The number of words that the name and the given words share from the beginning, and the rest of
 * the name; -1: they differ. */
static int match_words(const char **name, const char *const *words)
{
    int used = 0;
    for (; **name && words[used]; used++) {
        size_t length = strlen(words[used]);
        if (length == 0 || strncmp(*name, words[used], length) != 0 ||
            ((*name)[length] && (*name)[length] != ' '))
            return -1;
        *name += length + ((*name)[length] == ' ');
    }
    return used;
}

/* Whether the command's words begin with the given ones; and those of any command. */
static bool begins(const struct command *command, const char *const *words)
{
    const char *name = command->words;
    const int used = match_words(&name, words);
    return used >= 0 && !words[used];
}

static bool any_begins(const char *const *words)
{
    for (const struct command *command = commands; command->words; command++)
        if (begins(command, words))
            return true;
    return false;
}

/* An option that the command needs and that was not given; NULL: none. */
static const char *find_missing_option(const struct invocation *invocation)
{
    const struct command *command = invocation->command;
    for (int i = 0; i < command->options_needed; i++)
        if (!command_has_option(invocation, command->options[i]))
            return command->options[i];
    return NULL;
}

/* How many of the words name the invocation's command; 0: no such command. If the command has
 * several forms, it is the form whose options are given, or the first one. */
static int find_command(struct invocation *invocation)
{
    const struct command *first = NULL;
    int used = 0;
    for (const struct command *command = commands; command->words; command++) {
        const char *name = command->words;
        const int matched = match_words(&name, invocation->arguments);
        if (matched <= 0 || *name)
            continue;
        used = matched;
        invocation->command = command;
        if (!find_missing_option(invocation))
            return used;
        first = first ? first : command;
    }
    invocation->command = first;
    return used;
}

static void check_command(const struct invocation *invocation)
{
    const struct command *command = invocation->command;
    const char *const *name = command->arguments, *const *argument = invocation->arguments;
    for (; *name && *argument; name++)
        argument++;
    if (name < command->arguments + command->arguments_needed)
        command_misuse("missing argument %s of %s", *name, command->words);
    if (*argument)
        command_misuse("unexpected argument %s", *argument);
    for (int i = 0; i < invocation->option_count; i++) {
        const char *given = invocation->options[i].name;
        if (!command_names(COMMON_OPTIONS, given) && !command_names(command->options, given))
            command_misuse("unknown option --%s for %s", given, command->words);
    }
    const char *missing = find_missing_option(invocation);
    if (missing)
        command_misuse("missing option --%s of %s", missing, command->words);
}

/* -- Help -------------------------------------------------------------------------------------- */

/* About the commands that begin with the words, or about all if none does. */
static void print_help(const char *const *words)
{
    const bool all = !any_begins(words);
    puts("usage: qsosync-admin [--db FILE] COMMAND\n");
    for (const struct command *command = commands; command->words; command++) {
        char line[240];
        const size_t length =
            format_cut(line, sizeof line, "%s %s", command->words, command->usage);
        if (!all && !begins(command, words))
            continue;
        if (length > USAGE_COLUMNS)
            printf("  %s\n  %*s  %s\n", line, USAGE_COLUMNS, "", command->summary);
        else
            printf("  %-*s  %s\n", USAGE_COLUMNS, line, command->summary);
    }
    printf("\n  --db FILE    the database; default: QSOSYNC_DB, otherwise\n"
           "               %s\n",
           logbook_path_default());
    puts("               (QSOSYNC_INSTANCE=CLUB selects one of several clubs)\n"
         "  --json       print JSON, for programs\n"
         "  --help       this text\n"
         "  --version    the version");
}

/* Without a word, or after "member" alone, the help says what could follow. */
static void refuse_words(const char *const *words)
{
    const char *first = words[0], *second = first ? words[1] : NULL;
    if (!any_begins(words))
        command_misuse("unknown command %s%s%s", first, second ? " " : "", second ? second : "");
    command_print_error(EXIT_USAGE, "missing command%s%s; see qsosync-admin --help",
                        first ? " after " : "", first ? first : "");
    print_help(words);
}

/* -- Running it -------------------------------------------------------------------------------- */

static struct arena arena;
static struct invocation invocation = {.arena = &arena};

/* Runs even after a line that has ended the program, as the owner of the logbook, because closing
 * it may remove files next to it. */
static void tidy_up(void)
{
    progress_line_clear();
    if (invocation.store)
        folder_act_as_owner(invocation.database, NULL);
    store_close(invocation.store);
    arena_free(&arena);
}

/* Runs the parsed command line. */
static void obey(void)
{
    static const enum opening openings[] = {[OPENS_TO_WRITE] = OPEN_EXISTING,
                                            [OPENS_TO_READ] = OPEN_READ_ONLY,
                                            [OPENS_BRIEFLY] = OPEN_BRIEFLY};
    const char *const *words = invocation.arguments;
    const char *database = command_option(&invocation, "db");
    const bool help = *words && strcmp(*words, "help") == 0;
    if (help || command_has_option(&invocation, "help")) {
        print_help(words + help);
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
    int used = find_command(&invocation);
    if (!used) {
        refuse_words(words);
        return;
    }
    invocation.arguments += used;
    check_command(&invocation);
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
    const struct rlimit no_core = {0, 0}; /* it could hold a new key */
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
    take_apart(count, arguments, &invocation);
    obey();
    return command_finish();
}
