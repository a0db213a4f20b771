/* The program qsosync-admin: it reads the command line, opens the logbook as the command's row
 * says, runs the command, and prints the help. getopt_long takes the options out, whatever command
 * they are for. What remains is words, of which the first one or two name the command; its row says
 * which arguments and options are right. The groups of commands are listed in command.h; this file
 * knows none of them. */
#include <assert.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "admin/command.h"
#include "base/log.h"
#include "installation.h"
#include "store/logbook.h"
#include "worker/instance.h"

#define COMMON_USAGE "[--db FILE] [--help] [--version]"
#define USAGE_COLUMNS 56 /* of the help, before the summaries */
#define USAGE_WORDS_MAX 14
#define OPTIONS_MAX 64   /* different options, of all commands together */
#define FIRST_OPTION 256 /* what getopt_long returns for the first; above every character */

#define GROUP_ROW(group) group##_commands,
static const struct command *const groups[] = {COMMAND_GROUPS(GROUP_ROW) NULL};
#define EACH_COMMAND(command)                                                                      \
    for (const struct command *const *group = groups; *group; group++)                             \
        for (const struct command *command = *group; command->words; command++)

/* -- The usage line of a command's row --------------------------------------------------------- */

struct usage_word {
    struct text name;  /* of an option: without its hyphens */
    struct text value; /* of an option: what its value is called; no text: it takes none */
    bool is_option, needed;
};

struct usage {
    struct usage_word words[USAGE_WORDS_MAX];
    int count;
};

/* A line that cannot be read ends the program (assert), whatever the command. */
static void usage_read(const char *line, struct usage *usage)
{
    struct usage_word *option = NULL;        /* whose value may be the next word */
    int depth = strstr(line, " | ") != NULL; /* of brackets */
    const int outermost = depth;
    usage->count = 0;
    for (size_t length; *line; line += length) {
        length = strcspn(line, " []");
        const bool is_option = strncmp(line, "--", 2) == 0;
        if (length == 0) {
            depth += (*line == '[') - (*line == ']');
            option = *line == ' ' ? option : NULL;
            length = 1;
        } else if (*line == '|') {
            option = NULL;
        } else if (option && !is_option) {
            option->value = (struct text){line, length};
            option = NULL;
        } else {
            struct usage_word *word = &usage->words[usage->count++];
            assert(usage->count <= USAGE_WORDS_MAX);
            *word = (struct usage_word){.is_option = is_option, .needed = depth == 0};
            word->name =
                is_option ? (struct text){line + 2, length - 2} : (struct text){line, length};
            option = is_option ? word : NULL;
        }
    }
    assert(depth == outermost);
}

static bool usage_has_option(const char *line, const char *name)
{
    struct usage usage;
    usage_read(line, &usage);
    for (int i = 0; i < usage.count; i++)
        if (usage.words[i].is_option && text_equals(usage.words[i].name, text_of(name)))
            return true;
    return false;
}

const char *command_option(const struct invocation *invocation, const char *name)
{
    const char *value = NULL;
    assert(!invocation->command || usage_has_option(invocation->command->usage, name));
    for (int i = 0; i < invocation->option_count; i++)
        if (strcmp(invocation->options[i].name, name) == 0)
            value = invocation->options[i].value;
    return value;
}

bool command_has_option(const struct invocation *invocation, const char *name)
{
    return command_option(invocation, name) != NULL;
}

/* -- The command line -------------------------------------------------------------------------- */

/* The same name means the same to all commands, at least in whether it takes a value: options stand
 * before the command, too. */
static int add_options(const char *line, struct option options[OPTIONS_MAX + 1], int count,
                       struct arena *arena)
{
    struct usage usage;
    usage_read(line, &usage);
    for (int i = 0; i < usage.count; i++) {
        const struct usage_word *word = &usage.words[i];
        int has_value = word->value.bytes ? required_argument : no_argument, known = 0;
        while (known < count && !text_equals(word->name, text_of(options[known].name)))
            known++;
        if (!word->is_option)
            continue;
        assert(known < OPTIONS_MAX);
        assert(known == count || options[known].has_arg == has_value);
        options[known] =
            (struct option){.name = arena_copy(arena, word->name.bytes, word->name.length),
                            .has_arg = has_value,
                            .val = FIRST_OPTION + known};
        count += known == count;
    }
    return count;
}

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

/* Options may stand anywhere, as --name VALUE or --name=VALUE; after -- there are none. The
 * invocation's arguments are all words then. */
static int take_apart(int count, char **arguments, struct invocation *invocation)
{
    struct option options[OPTIONS_MAX + 1] = {0};
    struct arena *arena = invocation->arena;
    int found, known = add_options(COMMON_USAGE, options, 0, arena);
    EACH_COMMAND(command)
    {
        known = add_options(command->usage, options, known, arena);
    }
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
            return refuse_option(options, arguments, found);
    while (optind < count) /* after -- */
        *words++ = arguments[optind++];
    return EXIT_DONE;
}

/* How many words the name and the given words have in common from their beginning on, and what
 * follows them in the name; -1: they differ. */
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

/* Calls visit (which may be NULL) for every command whose words begin with the given ones; returns
 * how many there were. */
static int each_command(const char *const *words, void (*visit)(const struct command *command))
{
    int found = 0;
    EACH_COMMAND(command)
    {
        const char *name = command->words;
        const int used = match_words(&name, words);
        if (used < 0 || words[used])
            continue;
        found++;
        if (visit)
            visit(command);
    }
    return found;
}

/* An option that the command needs and was not given; no text: there is none. */
static struct text find_missing_option(const struct invocation *invocation)
{
    struct usage usage;
    usage_read(invocation->command->usage, &usage);
    for (int i = 0; i < usage.count; i++) {
        const struct usage_word *word = &usage.words[i];
        const char *name = arena_copy(invocation->arena, word->name.bytes, word->name.length);
        if (word->is_option && word->needed && !command_option(invocation, name))
            return word->name;
    }
    return (struct text){0};
}

/* How many of the words name the invocation's command; 0: there is no such command. Of several
 * forms it is the one whose options are given, or the first. */
static int find_command(struct invocation *invocation)
{
    const struct command *first = NULL;
    int used_by_first = 0;
    EACH_COMMAND(command)
    {
        const char *name = command->words;
        const int used = match_words(&name, invocation->arguments);
        if (used <= 0 || *name)
            continue;
        invocation->command = command;
        if (!find_missing_option(invocation).bytes)
            return used;
        used_by_first = first ? used_by_first : used;
        first = first ? first : command;
    }
    invocation->command = first;
    return used_by_first;
}

static int check_command(const struct invocation *invocation)
{
    const char *words = invocation->command->words, *const *argument = invocation->arguments;
    struct usage usage;
    usage_read(invocation->command->usage, &usage);
    for (int i = 0; i < usage.count; i++)
        if (!usage.words[i].is_option && *argument)
            argument++;
        else if (!usage.words[i].is_option && usage.words[i].needed)
            return command_misuse("missing argument %.*s of %s", (int)usage.words[i].name.length,
                                  usage.words[i].name.bytes, words);
    if (*argument)
        return command_misuse("unexpected argument %s", *argument);
    for (int i = 0; i < invocation->option_count; i++)
        if (!usage_has_option(COMMON_USAGE, invocation->options[i].name) &&
            !usage_has_option(invocation->command->usage, invocation->options[i].name))
            return command_misuse("unknown option --%s for %s", invocation->options[i].name, words);
    const struct text missing = find_missing_option(invocation);
    return missing.bytes ? command_misuse("missing option --%.*s of %s", (int)missing.length,
                                          missing.bytes, words)
                         : EXIT_DONE;
}

/* -- Help -------------------------------------------------------------------------------------- */

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
    if (each_command(words, print_command) == 0)
        each_command(all, print_command);
    printf("\n  --db FILE    the database; otherwise QSOSYNC_DB, otherwise\n"
           "               %s\n",
           logbook_path_default());
    puts("               (QSOSYNC_INSTANCE=CLUB: that of one of several clubs here)\n"
         "  --json       a list for programs\n"
         "  --help       this text\n"
         "  --version    the version");
    return command_finish_output();
}

/* Without a word, or after "member" alone, the help says what could follow. */
static int refuse_words(const char *const *words)
{
    const char *first = words[0], *second = first ? words[1] : NULL;
    if (each_command(words, NULL) == 0)
        return command_misuse("unknown command %s%s%s", first, second ? " " : "",
                              second ? second : "");
    int status = command_misuse("missing command%s%s", first ? " after " : "", first ? first : "");
    print_help(words);
    return status;
}

/* -- Running it -------------------------------------------------------------------------------- */

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

/* What a command line wants that was taken apart. */
static int obey(struct invocation *invocation)
{
    const char *const *words = invocation->arguments;
    const char *database = command_option(invocation, "db");
    const bool help = *words && strcmp(*words, "help") == 0;
    if (help || command_has_option(invocation, "help"))
        return print_help(words + help);
    if (command_has_option(invocation, "version")) {
        puts("qsosync-admin " QSOSYNC_VERSION);
        return command_finish_output();
    }
    if (database && !*database)
        return command_misuse("option --db needs a value");
    if (database)
        invocation->database = database;
    int used = find_command(invocation);
    if (!used)
        return refuse_words(words);
    invocation->arguments += used;
    int status = check_command(invocation);
    return status == EXIT_DONE ? run(invocation) : status;
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
    log_set_program("qsosync-admin");
    if (!instance_is_valid())
        return command_misuse(
            "QSOSYNC_INSTANCE must be the name of a club: small letters and digits, "
            "a letter first, at most 20");
    setrlimit(RLIMIT_CORE, &no_core);
    umask(027);
    int status = take_apart(count, arguments, &invocation);
    if (status == EXIT_DONE)
        status = obey(&invocation);
    arena_free(&arena);
    return status;
}
