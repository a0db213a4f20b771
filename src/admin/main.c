/* The operator's command: takes the command line apart, opens the database, runs the command's row.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "admin/command.h"
#include "base/log.h"

static const struct command *const commands[] = {
    &command_init,          &command_member_add, &command_member_list, &command_member_disable,
    &command_member_enable, &command_key_add,    &command_key_list,    &command_key_revoke,
    &command_spots,         &command_backup,     &command_restore,     &command_check,
};

#define COMMAND_COUNT (sizeof commands / sizeof *commands)

int command_refuse(const char *format, ...)
{
    char message[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    log_line("%s", message);
    return EXIT_REFUSED;
}

int command_finish(enum store_result result)
{
    return result == STORE_DONE ? EXIT_DONE : EXIT_REFUSED;
}

bool command_read_text(const char *what, const char *argument, size_t maximum, struct text *text)
{
    struct text trimmed = text_trim(text_of(argument));
    bool clean = text_is_utf8(trimmed.bytes, trimmed.length);
    for (size_t i = 0; i < trimmed.length && clean; i++)
        clean = (unsigned char)trimmed.bytes[i] >= 0x20 && trimmed.bytes[i] != 0x7F;
    size_t length = clean ? text_count_code_points(trimmed) : 0;
    if (length == 0 || length > maximum) {
        command_refuse("%s must be 1 to %zu printable characters", what, maximum);
        return false;
    }
    *text = trimmed;
    return true;
}

static void print_help(FILE *file)
{
    fputs("usage: qsosync-admin [--db FILE] COMMAND\n\n", file);
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        char line[128];
        snprintf(line, sizeof line, "%s %s %s", commands[i]->words, commands[i]->operands,
                 commands[i]->usage);
        fprintf(file, "  %-58s %s\n", line, commands[i]->summary);
    }
    fputs("\n  --db FILE    the database; otherwise QSOSYNC_DB, otherwise\n"
          "               " QSOSYNC_DEFAULT_DB "\n"
          "  --help       this text\n  --version    the version\n",
          file);
}

static int misuse(const char *format, const char *what)
{
    fputs("qsosync-admin: ", stderr);
    fprintf(stderr, format, what);
    fputs("; see qsosync-admin --help\n", stderr);
    return EXIT_USAGE;
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

#define WORDS_MAX 4

struct words {
    const char *words[WORDS_MAX];
    int count;
};

/* Options may stand anywhere, as --name VALUE or --name=VALUE; behind -- there are none. */
static int take_apart(int count, char **arguments, struct invocation *invocation,
                      struct words *words)
{
    bool options = true;
    for (int i = 1; i < count; i++) {
        const char *argument = arguments[i];
        if (!options || argument[0] != '-' || argument[1] == '\0') {
            if (words->count == WORDS_MAX)
                return misuse("%s is too much", argument);
            words->words[words->count++] = argument;
        } else if (strcmp(argument, "--") == 0) {
            options = false;
        } else if (strcmp(argument, "--json") == 0) {
            invocation->json = true;
        } else if (argument[1] != '-') {
            return misuse("there is no option %s", argument);
        } else {
            const char *name = argument + 2;
            size_t length = strcspn(name, "=");
            const char **value = option_value(invocation, name, length);
            if (!value)
                return misuse("there is no option %s", argument);
            if (name[length] != '=' && i + 1 == count)
                return misuse("%s needs a value", argument);
            *value = name[length] == '=' ? name + length + 1 : arguments[++i];
        }
    }
    return EXIT_DONE;
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

static bool allows(const struct command *command, const char *option)
{
    for (int i = 0; i < COMMAND_OPTIONS_MAX && command->options[i]; i++)
        if (strcmp(command->options[i], option) == 0)
            return true;
    return false;
}

static int check_options(const struct invocation *invocation)
{
    const struct {
        const char *name;
        bool given;
    } options[] = {
        {"locator", invocation->locator}, {"login", invocation->login}, {"name", invocation->name},
        {"scope", invocation->scope},     {"limit", invocation->limit}, {"json", invocation->json},
    };
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (options[i].given && !allows(invocation->command, options[i].name))
            return misuse("this command takes no --%s", options[i].name);
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
        return misuse("%s", "no command was given");
    if (!used)
        return misuse("there is no command %s", words->words[0]);
    if (words->count - used != invocation->command->operand_count)
        return misuse("the command needs: %s", *invocation->command->operands
                                                   ? invocation->command->operands
                                                   : "nothing more");
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
    struct arena arena = {0};
    struct words words = {0};
    const char *environment = getenv("QSOSYNC_DB");
    struct invocation invocation = {
        .database = environment && *environment ? environment : QSOSYNC_DEFAULT_DB,
        .arena = &arena,
    };

    log_set_program("qsosync-admin");
    umask(027);
    for (int i = 1; i < count && strcmp(arguments[i], "--") != 0; i++) {
        if (strcmp(arguments[i], "--help") == 0) {
            print_help(stdout);
            return fflush(stdout) == 0 ? EXIT_DONE : EXIT_REFUSED;
        }
        if (strcmp(arguments[i], "--version") == 0)
            return puts("qsosync-admin " PACKAGE_VERSION) < 0;
    }
    int status = take_apart(count, arguments, &invocation, &words);
    if (status == EXIT_DONE)
        status = find_command(&invocation, &words);
    if (status == EXIT_DONE)
        status = run(&invocation);
    arena_free(&arena);
    return status;
}
