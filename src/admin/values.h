/* Reads the values of options and arguments. A wrong value ends the program with a message. */
#ifndef QSOSYNC_ADMIN_VALUES_H
#define QSOSYNC_ADMIN_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "admin/command.h"
#include "base/text.h"
#include "store/people/members.h"

/* Returns whether the name is in the list, which ends with NULL. */
bool command_names(const char *const *names, const char *name);

/* Returns the value of an option ("" for an option without a value); NULL: not given. The command's
 * row must name the option (assert). */
const char *command_option(const struct invocation *invocation, const char *name);
bool command_has_option(const struct invocation *invocation, const char *name);

/* Reads an option whose value is one of two words, in either case. Returns 1 or 2, or 0 if the
 * option is not given. */
int command_read_choice(const struct invocation *invocation, const char *name, const char *one,
                        const char *other);

/* Reads a date and time, or the beginning of a date, in UTC. Returns false for any other text. */
bool command_read_time(const char *argument, int64_t *ms);

/* Returns the time of the option --since; 0: not given. */
int64_t command_read_since(const struct invocation *invocation);

/* Returns the option's value, an integer from 1 to maximum, or `otherwise` if it is not given. */
int64_t command_read_number(const struct invocation *invocation, const char *name, int64_t maximum,
                            int64_t otherwise);

/* Returns whether the option is "on"; false if it is "off" or not given. */
bool command_read_switch(const struct invocation *invocation, const char *name);

/* Returns the trimmed text, which must be UTF-8, have 1 to maximum code points, and no control
 * characters. */
struct text command_read_text(const char *what, const char *argument, size_t maximum);

/* Returns the callsign in its normal form, with a final NUL. */
struct text command_read_callsign(struct invocation *invocation, const char *argument);

/* Returns the option --locator in its normal form; no text: not given. */
struct text command_read_locator(struct invocation *invocation);

/* Returns the member with this callsign. If there is no such member, the message suggests a member
 * whose callsign differs only in spelling, from command_find_similar (NULL: none). */
struct member command_find_member(struct invocation *invocation, const char *argument);
const char *command_find_similar(struct invocation *invocation, struct text callsign);

#endif
