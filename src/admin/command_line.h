/* Reads the command line. */
#ifndef QSOSYNC_ADMIN_COMMAND_LINE_H
#define QSOSYNC_ADMIN_COMMAND_LINE_H

#include <stdbool.h>

#include "admin/command.h"

/* The rows of all commands. The last row has no words. */
extern const struct command commands[];

/* Reads the options into the invocation; all other words become its arguments. Ends the program if
 * an option is unknown or malformed. */
void command_line_read(int count, char **arguments, struct invocation *invocation);

/* Sets invocation->command, and returns the number of words that name the command, or 0 if the
 * words do not name a command. If a command has several forms, chooses the form whose required
 * options are given. */
int command_line_find_command(struct invocation *invocation);

/* Ends the program if the command lacks a required argument or option, or has an argument or option
 * that it does not accept. */
void command_line_check(const struct invocation *invocation);

/* Return whether the words of the command, or of any command, begin with these words. */
bool command_line_begins(const struct command *command, const char *const *words);
bool command_line_any_begins(const char *const *words);

#endif
