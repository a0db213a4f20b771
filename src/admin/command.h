/* What a command of qsosync-admin is: one constant row, and a function that runs it. */
#ifndef QSOSYNC_ADMIN_COMMAND_H
#define QSOSYNC_ADMIN_COMMAND_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "store/store.h"

enum {
    EXIT_DONE = 0,
    EXIT_REFUSED = 1, /* one line on standard error says why */
    EXIT_USAGE = 2,
};

/* The command line, taken apart. */
struct invocation {
    const struct command *command;
    const char *database;                               /* path */
    const char *operands[2];                            /* as many as the command takes */
    const char *locator, *login, *name, *scope, *limit; /* options; NULL: not given */
    bool json, help, version;
    struct arena *arena;
    struct store *store; /* open, unless the command opens it itself */
};

#define COMMAND_OPTIONS_MAX 2

struct command {
    const char *words;    /* "member add" */
    const char *operands; /* " CALLSIGN"; "": none */
    int operand_count;
    const char *needed[COMMAND_OPTIONS_MAX];  /* options that must be given; NULL: no more */
    const char *allowed[COMMAND_OPTIONS_MAX]; /* options that may be given, beside --db */
    const char *usage;                        /* all of them, as the help shows them */
    const char *summary;
    bool opens_itself; /* runs without an open store */
    int (*run)(struct invocation *invocation);
};

extern const struct command command_init, command_backup, command_restore, command_check;
extern const struct command command_member_add, command_member_list, command_member_disable,
    command_member_enable;
extern const struct command command_key_add, command_key_list, command_key_revoke;
extern const struct command command_spots;

/* Says why on standard error, in one line; returns EXIT_REFUSED. */
int command_refuse(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same for a command line that has not the form that the help shows; returns EXIT_USAGE. */
int command_misuse(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The exit status for what the store answered; the store has logged what was wrong. */
int command_finish(enum store_result result);

/* The member with the callsign in operands[0]; false after a line on standard error. */
bool command_find_member(struct invocation *invocation, struct member *member);

/* Trims a text of the command line and checks it: UTF-8, 1 to maximum code points, no control
 * characters. Returns false after a line on standard error. */
bool command_read_text(const char *what, const char *argument, size_t maximum, struct text *text);

#endif
