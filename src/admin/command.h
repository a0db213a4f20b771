/* A command of qsosync-admin consists of a row in schema/commands.tsv, and a function that runs the
 * command.
 *
 * Most functions in this layer end the program with a message if something is wrong. So a command
 * can be written as if every step succeeded. values.h reads options and arguments, output.h prints,
 * and logbook.h opens a logbook. */
#ifndef QSOSYNC_ADMIN_COMMAND_H
#define QSOSYNC_ADMIN_COMMAND_H

#include <stdbool.h>

#include "base/arena.h"
#include "store/log/logbook.h"
#include "store/people/members.h"

enum {
    EXIT_DONE = 0,
    EXIT_REFUSED = 1, /* one line on standard error gives the reason */
    EXIT_USAGE = 2,
};

/* An option on the command line. */
struct option_given {
    const char *name;
    const char *value; /* "" if the option takes no value */
};

/* The parsed command line. */
struct invocation {
    const char *const *line; /* the words as given, without the program's name; ends with NULL */
    const struct command *command;
    const char *database;         /* path of the logbook */
    const char *const *arguments; /* arguments of the command; ends with NULL */
    const struct option_given *options;
    int option_count;
    struct arena *arena;
    /* the logbook, opened before the command unless command->opening is OPENS_ITSELF; closed at
     * the end of the program */
    struct store *store;
    /* the member whom the first argument names, if command->of_member is true */
    struct member member;
};

/* The ways to open the logbook before a command runs. */
enum command_opening {
    OPENS_TO_WRITE,
    OPENS_TO_READ, /* to read: the file is not changed */
    /* to write with only a few statements; for a command that runs every few minutes */
    OPENS_BRIEFLY,
    OPENS_ITSELF, /* not at all: the command itself can open the logbook */
};

/* A command. In the help, the usage follows the command's words:
 *
 *   CALLSIGN [FILE] --name NAME [--scope READ|WRITE] [--json]
 *
 * A word that begins with two hyphens is an option. If the next word is in capital letters, it is
 * the option's value. Every other word is an argument. Words in brackets are optional. If a bar
 * between spaces separates two forms, all words are optional: "FILE | --to DIR". */
struct command {
    const char *words; /* "member add" */
    const char *usage;
    const char *summary; /* one line for the help */
    enum command_opening opening;
    bool of_member; /* whether the first argument, if given, names invocation->member */
    int which;      /* distinguishes rows with the same function */
    void (*run)(struct invocation *invocation);
    /* The names in the usage: the required names first, and NULL at the end. */
    int arguments_needed;
    const char *const *arguments;
    int options_needed;
    const char *const *options;
};

#define ROW(words, usage, summary, opening, of_member, which, run, ...)                            \
    void run(struct invocation *invocation);
#include "schema/commands.inc"
#undef ROW

/* End the program with one line on standard error that gives the reason. command_misuse is for a
 * malformed command line. A command must first remove the unfinished files that it has created. */
#define command_refuse(...) command_end(EXIT_REFUSED, "", __VA_ARGS__)
#define command_misuse(...) command_end(EXIT_USAGE, "; see qsosync-admin --help", __VA_ARGS__)
_Noreturn void command_end(int status, const char *hint, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Ends the program unless the result is STORE_DONE; the store has logged the reason. command_expect
 * also ends the program if the result is `refusal`, which the store does not log, and prints its
 * own message. */
void command_require_done(enum store_result result);
#define command_expect(result, refusal, ...)                                                       \
    do {                                                                                           \
        const enum store_result expected_ = (result);                                              \
        if (expected_ == (refusal))                                                                \
            command_refuse(__VA_ARGS__);                                                           \
        command_require_done(expected_);                                                           \
    } while (false)

/* Write a line on standard error; the command continues. command_warn reports an effect that could
 * be unexpected. command_fail reports a failure, so the program will end with EXIT_REFUSED. */
#define command_warn(...) command_print_error(EXIT_DONE, __VA_ARGS__)
#define command_fail(...) command_print_error(EXIT_REFUSED, __VA_ARGS__)
void command_print_error(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Flushes standard output, and reports a failure to flush. Returns the exit status that results
 * from all messages so far. */
int command_finish(void);

#endif
