/* getopt_long takes the options out, whatever command they are for. What remains is words, of which
 * the first one or two name the command. Then the command's row says which arguments and options
 * are right. */
#include "admin/arguments.h"

#include <assert.h>
#include <getopt.h>
#include <string.h>

#include "admin/command.h"

#define COMMON_USAGE "[--db FILE] [--help] [--version]"

#define OPTIONS_MAX 64   /* different options, of all commands together */
#define FIRST_OPTION 256 /* what getopt_long returns for the first; above every character */

/* Taken apart, in the order of the command line. */
struct line {
    const char **words; /* NULL follows the last */
    int word_count;
    struct option_given *options;
    int option_count;
};

/* -- All options ------------------------------------------------------------------------------- */

/* The same name means the same to all commands, at least in whether it takes a value: options stand
 * before the command, too. */
static void add_options(const char *line, struct option options[OPTIONS_MAX + 1], int *count,
                        struct arena *arena)
{
    struct usage usage;
    usage_read(line, &usage);
    for (int i = 0; i < usage.option_count; i++) {
        const struct usage_word *word = &usage.options[i];
        int has_value = *word->value ? required_argument : no_argument;
        int known = 0;
        while (known < *count && strcmp(options[known].name, word->name) != 0)
            known++;
        assert(known < OPTIONS_MAX);
        assert(known == *count || options[known].has_arg == has_value);
        if (known < *count)
            continue;
        options[known] = (struct option){.name = arena_copy(arena, word->name, strlen(word->name)),
                                         .has_arg = has_value,
                                         .val = FIRST_OPTION + known};
        *count = known + 1;
    }
}

static void collect_options(const struct command *const *groups, struct arena *arena,
                            struct option options[OPTIONS_MAX + 1])
{
    int count = 0;
    memset(options, 0, (OPTIONS_MAX + 1) * sizeof *options);
    add_options(COMMON_USAGE, options, &count, arena);
    for (; *groups; groups++)
        for (const struct command *command = *groups; command->words; command++)
            add_options(command->usage, options, &count, arena);
}

/* -- Taking the command line apart ------------------------------------------------------------- */

static int refuse_option(const struct option *options, char **arguments, int found)
{
    const struct option *known = optopt >= FIRST_OPTION ? &options[optopt - FIRST_OPTION] : NULL;
    if (found == ':')
        return command_misuse("option --%s needs a value", known->name);
    if (known)
        return command_misuse("option --%s takes no value", known->name);
    if (optopt)
        return command_misuse("unknown option -%c", optopt);
    return command_misuse("unknown option %s", arguments[optind - 1]);
}

static int take_apart(const struct option *options, int count, char **arguments,
                      struct arena *arena, struct line *line)
{
    int found;
    line->words = arena_allocate_zeroed(arena, ((size_t)count + 1) * sizeof *line->words);
    line->options = arena_allocate_zeroed(arena, ((size_t)count + 1) * sizeof *line->options);
    /* "-": words are returned in their order; ":": a missing value is reported in its own way. */
    while ((found = getopt_long(count, arguments, "-:h", options, NULL)) != -1)
        if (found == 1)
            line->words[line->word_count++] = optarg;
        else if (found == 'h')
            line->options[line->option_count++] = (struct option_given){"help", ""};
        else if (found >= FIRST_OPTION)
            line->options[line->option_count++] =
                (struct option_given){options[found - FIRST_OPTION].name, optarg ? optarg : ""};
        else
            return refuse_option(options, arguments, found);
    while (optind < count) /* after -- */
        line->words[line->word_count++] = arguments[optind++];
    return EXIT_DONE;
}

/* -- The command ------------------------------------------------------------------------------- */

/* How many of the words are the command's name; 0: another command. */
static int match_words(const struct command *command, const char *const *words)
{
    const char *rest = command->words;
    int used = 0;
    while (words[used]) {
        size_t length = strlen(words[used]);
        if (length == 0 || strncmp(rest, words[used], length) != 0)
            return 0;
        used++;
        rest += length;
        if (*rest == '\0')
            return used;
        if (*rest++ != ' ')
            return 0;
    }
    return 0;
}

static bool begins_with_words(const struct command *command, const char *const *words)
{
    const char *rest = command->words;
    for (; *words; words++) {
        size_t length = strlen(*words);
        if (length == 0 || strncmp(rest, *words, length) != 0 ||
            (rest[length] != ' ' && rest[length] != '\0'))
            return false;
        rest += rest[length] == ' ' ? length + 1 : length;
    }
    return true;
}

int arguments_each_command(const struct command *const *groups, const char *const *words,
                           void (*visit)(const struct command *command))
{
    int found = 0;
    for (; *groups; groups++)
        for (const struct command *command = *groups; command->words; command++)
            if (begins_with_words(command, words)) {
                found++;
                if (visit)
                    visit(command);
            }
    return found;
}

static int check_options(const struct invocation *invocation, const struct usage *usage)
{
    const char *words = invocation->command->words;
    struct usage common;
    usage_read(COMMON_USAGE, &common);
    for (int i = 0; i < invocation->option_count; i++)
        if (!usage_find_option(&common, invocation->options[i].name) &&
            !usage_find_option(usage, invocation->options[i].name))
            return command_misuse("unknown option --%s for %s", invocation->options[i].name, words);
    for (int i = 0; i < usage->option_count; i++)
        if (usage->options[i].needed && !command_option(invocation, usage->options[i].name))
            return command_misuse("missing option --%s of %s", usage->options[i].name, words);
    return EXIT_DONE;
}

static int check_arguments(const struct invocation *invocation, const struct usage *usage)
{
    int given = 0;
    for (; given < usage->argument_count; given++)
        if (!invocation->arguments[given])
            break;
    if (given == usage->argument_count && invocation->arguments[given])
        return command_misuse("unexpected argument %s", invocation->arguments[given]);
    if (given < usage->argument_count && usage->arguments[given].needed)
        return command_misuse("missing argument %s of %s", usage->arguments[given].name,
                              invocation->command->words);
    return check_options(invocation, usage);
}

static bool has_needed_options(const struct invocation *invocation)
{
    struct usage usage;
    usage_read(invocation->command->usage, &usage);
    for (int i = 0; i < usage.option_count; i++)
        if (usage.options[i].needed && !command_option(invocation, usage.options[i].name))
            return false;
    return true;
}

/* How many of the words name the invocation's command; 0: there is no such command. Of several
 * forms it is the one whose options are given, or the first. */
static int find_command(const struct command *const *groups, const char *const *words,
                        struct invocation *invocation)
{
    const struct command *first = NULL;
    int used_by_first = 0;
    for (; *groups; groups++)
        for (const struct command *command = *groups; command->words; command++) {
            int used = match_words(command, words);
            if (!used)
                continue;
            invocation->command = command;
            if (has_needed_options(invocation))
                return used;
            if (!first) {
                first = command;
                used_by_first = used;
            }
        }
    invocation->command = first;
    return used_by_first;
}

/* Without a word, or after "member" alone, the help says what could follow. */
static int refuse_words(const struct command *const *groups, const struct line *line,
                        enum arguments_wish *wish)
{
    const char *first = line->words[0], *second = first ? line->words[1] : NULL;
    if (arguments_each_command(groups, line->words, NULL) > 0) {
        *wish = WISH_HELP;
        return command_misuse("missing command%s%s", first ? " after " : "", first ? first : "");
    }
    return command_misuse("unknown command %s%s%s", first, second ? " " : "", second ? second : "");
}

static int choose_command(const struct command *const *groups, const struct line *line,
                          struct invocation *invocation, enum arguments_wish *wish)
{
    struct usage usage;
    int used = find_command(groups, line->words, invocation);
    if (!used)
        return refuse_words(groups, line, wish);
    invocation->arguments = line->words + used;
    usage_read(invocation->command->usage, &usage);
    return check_arguments(invocation, &usage);
}

static const char *find_given(const struct line *line, const char *name)
{
    const char *value = NULL;
    for (int i = 0; i < line->option_count; i++)
        if (strcmp(line->options[i].name, name) == 0)
            value = line->options[i].value;
    return value;
}

int arguments_read(const struct command *const *groups, int count, char **arguments,
                   struct invocation *invocation, enum arguments_wish *wish)
{
    struct option options[OPTIONS_MAX + 1];
    struct line line = {0};
    collect_options(groups, invocation->arena, options);
    int status = take_apart(options, count, arguments, invocation->arena, &line);
    if (status != EXIT_DONE)
        return status;
    invocation->arguments = line.words;
    invocation->options = line.options;
    invocation->option_count = line.option_count;
    bool help = line.word_count > 0 && strcmp(line.words[0], "help") == 0;
    if (help)
        invocation->arguments++;
    *wish = help || find_given(&line, "help") ? WISH_HELP
            : find_given(&line, "version")    ? WISH_VERSION
                                              : WISH_RUN;
    if (*wish != WISH_RUN)
        return EXIT_DONE;
    const char *database = find_given(&line, "db");
    if (database && !*database)
        return command_misuse("option --db needs a value");
    if (database)
        invocation->database = database;
    return choose_command(groups, &line, invocation, wish);
}
