/* The operator's command: takes the command line apart, opens the database, runs the command's row.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "admin/command.h"
#include "base/log.h"
#include "installation.h"

static const struct command *const commands[] = {
    &command_init,          &command_member_add, &command_member_list, &command_member_disable,
    &command_member_enable, &command_key_add,    &command_key_list,    &command_key_revoke,
    &command_spots,         &command_backup,     &command_restore,     &command_check,
};

#define COMMAND_COUNT (sizeof commands / sizeof *commands)

static void tell(const char *hint, const char *format, va_list arguments)
{
    char message[512];
    vsnprintf(message, sizeof message, format, arguments);
    log_line("%s%s", message, hint);
}

int command_refuse(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    tell("", format, arguments);
    va_end(arguments);
    return EXIT_REFUSED;
}

int command_misuse(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    tell("; see qsosync-admin --help", format, arguments);
    va_end(arguments);
    return EXIT_USAGE;
}

int command_finish(enum store_result result)
{
    return result == STORE_DONE ? EXIT_DONE : EXIT_REFUSED;
}

/* Below U+0020, U+007F, and in UTF-8 the two bytes of U+0080 to U+009F. */
static bool has_control_characters(struct text text)
{
    for (size_t i = 0; i < text.length; i++) {
        unsigned char byte = (unsigned char)text.bytes[i];
        unsigned char before = i > 0 ? (unsigned char)text.bytes[i - 1] : 0;
        if (byte < 0x20 || byte == 0x7F || (before == 0xC2 && byte < 0xA0))
            return true;
    }
    return false;
}

bool command_read_text(const char *what, const char *argument, size_t maximum, struct text *text)
{
    struct text trimmed = text_trim(text_of(argument));
    bool clean = text_is_utf8(trimmed.bytes, trimmed.length) && !has_control_characters(trimmed);
    size_t length = clean ? text_count_code_points(trimmed) : 0;
    if (length == 0 || length > maximum) {
        command_refuse("%s must be 1 to %zu printable characters", what, maximum);
        return false;
    }
    *text = trimmed;
    return true;
}

static int finish_output(void)
{
    return fflush(stdout) == 0 ? EXIT_DONE : command_refuse("cannot write to standard output");
}

static int print_version(void)
{
    puts("qsosync-admin " QSOSYNC_VERSION);
    return finish_output();
}

static int print_help(void)
{
    puts("usage: qsosync-admin [--db FILE] COMMAND\n");
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        char line[128];
        snprintf(line, sizeof line, "%s%s%s", commands[i]->words, commands[i]->operands,
                 commands[i]->usage);
        printf("  %-58s %s\n", line, commands[i]->summary);
    }
    puts("\n  --db FILE    the database; otherwise QSOSYNC_DB, otherwise\n"
         "               " QSOSYNC_DEFAULT_DB "\n"
         "  --json       a list for programs\n"
         "  --help       this text\n"
         "  --version    the version");
    return finish_output();
}

/* Where the value of an option goes; NULL: no such option. */
static const char **option_value(struct invocation *invocation, const char *name, size_t length)
{
    const struct {
        const char *name;
        const char **value;
    } options[] = {
        {"db", &invocation->database}, {"locator", &invocation->locator},
        {"login", &invocation->login}, {"name", &invocation->name},
        {"scope", &invocation->scope}, {"limit", &invocation->limit},
    };
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (strlen(options[i].name) == length && strncmp(options[i].name, name, length) == 0)
            return options[i].value;
    return NULL;
}

/* Where an option without a value is noted; NULL: no such option. */
static bool *option_flag(struct invocation *invocation, const char *argument)
{
    if (strcmp(argument, "--json") == 0)
        return &invocation->json;
    if (strcmp(argument, "--help") == 0)
        return &invocation->help;
    return strcmp(argument, "--version") == 0 ? &invocation->version : NULL;
}

#define WORDS_MAX 4

struct words {
    const char *words[WORDS_MAX];
    int count;
};

/* Takes one option from the command line; *i moves on to its value where that stands apart. */
static int take_option(int count, char **arguments, int *i, struct invocation *invocation)
{
    const char *argument = arguments[*i];
    bool *flag = option_flag(invocation, argument);
    if (flag) {
        *flag = true;
        return EXIT_DONE;
    }
    const char *name = argument + 2;
    size_t length = strcspn(name, "=");
    const char **value = argument[1] == '-' ? option_value(invocation, name, length) : NULL;
    if (!value)
        return command_misuse("there is no option %s", argument);
    if (name[length] != '=' && *i + 1 == count)
        return command_misuse("%s needs a value", argument);
    *value = name[length] == '=' ? name + length + 1 : arguments[++*i];
    return EXIT_DONE;
}

/* Options may stand anywhere, as --name VALUE or --name=VALUE; behind -- there are none. */
static int take_apart(int count, char **arguments, struct invocation *invocation,
                      struct words *words)
{
    bool options = true;
    int status = EXIT_DONE;
    for (int i = 1; i < count && status == EXIT_DONE; i++) {
        const char *argument = arguments[i];
        if (options && strcmp(argument, "--") == 0)
            options = false;
        else if (options && argument[0] == '-' && argument[1] != '\0')
            status = take_option(count, arguments, &i, invocation);
        else if (words->count == WORDS_MAX)
            status = command_misuse("%s is too much", argument);
        else
            words->words[words->count++] = argument;
    }
    return status;
}

/* How many of the words are the command's name; 0: another command. */
static int words_of(const struct command *command, const struct words *words)
{
    char joined[64];
    if (words->count > 0 && strcmp(command->words, words->words[0]) == 0)
        return 1;
    if (words->count < 2)
        return 0;
    snprintf(joined, sizeof joined, "%s %s", words->words[0], words->words[1]);
    return strcmp(command->words, joined) == 0 ? 2 : 0;
}

static bool lists(const char *const options[COMMAND_OPTIONS_MAX], const char *name)
{
    for (int i = 0; i < COMMAND_OPTIONS_MAX && options[i]; i++)
        if (strcmp(options[i], name) == 0)
            return true;
    return false;
}

static int check_options(const struct invocation *invocation)
{
    const struct command *command = invocation->command;
    const struct {
        const char *name;
        bool given;
    } options[] = {
        {"locator", invocation->locator}, {"login", invocation->login}, {"name", invocation->name},
        {"scope", invocation->scope},     {"limit", invocation->limit}, {"json", invocation->json},
    };
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        bool needed = lists(command->needed, options[i].name);
        if (needed && !options[i].given)
            return command_misuse("%s needs --%s", command->words, options[i].name);
        if (options[i].given && !needed && !lists(command->allowed, options[i].name))
            return command_misuse("%s takes no --%s", command->words, options[i].name);
    }
    if (!*invocation->database)
        return command_misuse("--db needs a value");
    return EXIT_DONE;
}

static int find_command(struct invocation *invocation, const struct words *words)
{
    int used = 0;
    for (size_t i = 0; i < COMMAND_COUNT && !used; i++) {
        used = words_of(commands[i], words);
        if (used)
            invocation->command = commands[i];
    }
    if (words->count == 0)
        return command_misuse("no command was given");
    if (!used)
        return command_misuse("there is no command %s%s%s", words->words[0],
                              words->count > 1 ? " " : "", words->count > 1 ? words->words[1] : "");
    if (words->count - used != invocation->command->operand_count)
        return command_misuse("the command is: %s%s%s", invocation->command->words,
                              invocation->command->operands, invocation->command->usage);
    for (int i = used; i < words->count; i++)
        invocation->operands[i - used] = words->words[i];
    return check_options(invocation);
}

static int run(struct invocation *invocation)
{
    if (!invocation->command->opens_itself) {
        enum store_result result =
            store_open(invocation->database, STORE_OPEN_EXISTING, &invocation->store);
        if (result == STORE_NONE)
            return command_refuse("%s is no logbook yet; make one with: qsosync-admin --db %s init",
                                  invocation->database, invocation->database);
        if (result != STORE_DONE)
            return EXIT_REFUSED;
    }
    int status = invocation->command->run(invocation);
    store_close(invocation->store);
    return status;
}

int main(int count, char **arguments)
{
    const struct rlimit no_core = {0, 0}; /* it could hold a new key */
    struct arena arena = {0};
    struct words words = {0};
    const char *environment = getenv("QSOSYNC_DB");
    struct invocation invocation = {
        .database = environment && *environment ? environment : QSOSYNC_DEFAULT_DB,
        .arena = &arena,
    };

    log_set_program("qsosync-admin");
    setrlimit(RLIMIT_CORE, &no_core);
    umask(027);
    int status = take_apart(count, arguments, &invocation, &words);
    if (status == EXIT_DONE && invocation.help)
        return print_help();
    if (status == EXIT_DONE && invocation.version)
        return print_version();
    if (status == EXIT_DONE)
        status = find_command(&invocation, &words);
    if (status == EXIT_DONE)
        status = run(&invocation);
    arena_free(&arena);
    return status;
}
