/* Reads the command line. getopt_long separates the options of all commands from the other words.
 * The first one or two of these words name the command. The command's row has the valid arguments
 * and options, which src/build/commands reads from the usage. */
#include "admin/command_line.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "admin/command.h"
#include "admin/values.h"

#define FIRST_OPTION 256 /* getopt_long's value for the first option, above every character */

#define ROW(words, usage, summary, opening, ...)                                                   \
    {words, usage, summary, OPENS_##opening, __VA_ARGS__},
#define WORDS(...)                                                                                 \
    (const char *const[])                                                                          \
    {                                                                                              \
        __VA_ARGS__ NULL                                                                           \
    }
const struct command commands[] = {
#include "schema/commands.inc"
    {0},
};

/* The options of all commands. COMMON_OPTIONS work with every command, and without a command. */
#define OPTION(number, name, has_value) {name, has_value, NULL, FIRST_OPTION + (number)},
#define COMMON_OPTIONS WORDS("db", "help", "version", )
static const struct option options[] = {
#include "schema/command_options.inc"
    {0},
};

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

/* Reads the options, as --name VALUE or --name=VALUE, anywhere before "--". All other words become
 * the arguments. */
void command_line_read(int count, char **arguments, struct invocation *invocation)
{
    struct arena *arena = invocation->arena;
    int found;
    const char **words = arena_allocate_zeroed(arena, ((size_t)count + 1) * sizeof *words);
    struct option_given *given = arena_allocate(arena, (size_t)count * sizeof *given);
    invocation->arguments = words;
    invocation->options = given;
    /* "-" returns words in order; ":" distinguishes a missing value from an unknown option */
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

/* Compares the name of a command with the given words. Returns the number of equal words at the
 * beginning, or -1 if a word differs. *name becomes the rest of the name. */
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

bool command_line_begins(const struct command *command, const char *const *words)
{
    const char *name = command->words;
    const int used = match_words(&name, words);
    return used >= 0 && !words[used];
}

bool command_line_any_begins(const char *const *words)
{
    for (const struct command *command = commands; command->words; command++)
        if (command_line_begins(command, words))
            return true;
    return false;
}

/* Returns the first required option that is missing, or NULL if all required options are given. */
static const char *find_missing_option(const struct invocation *invocation)
{
    const struct command *command = invocation->command;
    for (int i = 0; i < command->options_needed; i++)
        if (!command_has_option(invocation, command->options[i]))
            return command->options[i];
    return NULL;
}

/* Finds the command. If the command has several forms, chooses the form whose required options are
 * given, or else the first form. */
int command_line_find_command(struct invocation *invocation)
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

void command_line_check(const struct invocation *invocation)
{
    const struct command *command = invocation->command;
    const char *const *name = command->arguments, *const *argument = invocation->arguments;
    for (; *name && *argument; name++)
        argument++;
    if (name < command->arguments + command->arguments_needed)
        command_misuse("missing argument %s for %s", *name, command->words);
    if (*argument)
        command_misuse("unexpected argument %s", *argument);
    for (int i = 0; i < invocation->option_count; i++) {
        const char *given = invocation->options[i].name;
        if (!command_names(COMMON_OPTIONS, given) && !command_names(command->options, given))
            command_misuse("unknown option --%s for %s", given, command->words);
    }
    const char *missing = find_missing_option(invocation);
    if (missing)
        command_misuse("missing option --%s for %s", missing, command->words);
}
