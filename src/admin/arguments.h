/* The command line becomes a command, its arguments and its options, or a line that says what is
 * wrong with it. */
#ifndef QSOSYNC_ADMIN_ARGUMENTS_H
#define QSOSYNC_ADMIN_ARGUMENTS_H

#include "admin/command.h"

/* What to do with a command line that was understood. */
enum arguments_wish {
    WISH_RUN,     /* invocation->command */
    WISH_HELP,    /* about the commands that begin with the invocation's arguments; also with
                     EXIT_USAGE */
    WISH_VERSION, /* print the version */
};

/* The commands that there are; NULL ends the groups. Options may stand anywhere, as --name VALUE or
 * --name=VALUE; after -- there are none. Fills the invocation except its store, with memory of its
 * arena; invocation->database is set by the caller to the path that is used without --db. Returns
 * EXIT_DONE, or EXIT_USAGE after a line on standard error. */
int arguments_read(const struct command *const *groups, int count, char **arguments,
                   struct invocation *invocation, enum arguments_wish *wish);

/* Calls visit (which may be NULL) for every command whose words begin with the given ones (NULL
 * follows the last); returns how many there were. */
int arguments_each_command(const struct command *const *groups, const char *const *words,
                           void (*visit)(const struct command *command));

#endif
