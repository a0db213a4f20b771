/* Reads the values of options and arguments. An invalid value ends the program with a message. */
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

/* Return the value of an option, and whether the option is given. The value is "" for an option
 * without a value, and NULL if the option is not given. The command's row must contain the option
 * (assert). */
const char *command_option(const struct invocation *invocation, const char *name);
bool command_has_option(const struct invocation *invocation, const char *name);

/* Reads an option whose value is one of two words, in upper or lower case. Returns 1 or 2, or 0 if
 * the option is not given. */
int command_read_choice(const struct invocation *invocation, const char *name, const char *one,
                        const char *other);

/* Reads a date and time, or a date, which means the beginning of that day in UTC. Returns false for
 * any other text. */
bool command_read_time(const char *argument, int64_t *ms);

/* Returns the time in the option --since, or 0 if the option is not given. */
int64_t command_read_since(const struct invocation *invocation);

/* Returns the option's value, an integer from 1 to maximum, or `otherwise` if the option is not
 * given. */
int64_t command_read_number(const struct invocation *invocation, const char *name, int64_t maximum,
                            int64_t otherwise);

/* Returns whether the value of the option is "on"; false if the value is "off" or the option is not
 * given. */
bool command_read_switch(const struct invocation *invocation, const char *name);

/* Returns the trimmed text, which must be UTF-8, and must have 1 to maximum code points and no
 * control characters. The message about a fault begins with `what`. */
struct text command_read_text(const char *what, const char *argument, size_t maximum);

/* Returns the callsign in its normal form, with a final NUL. */
struct text command_read_callsign(struct invocation *invocation, const char *argument);

/* Returns the value of the option --locator in its normal form, or no text if the option is not
 * given. */
struct text command_read_locator(struct invocation *invocation);

/* Returns the member with this callsign, regardless of case, or ends the program. The message
 * suggests a callsign that differs only in spelling. command_find_similar returns such a member's
 * callsign, or NULL if no member has a similar callsign. */
struct member command_find_member(struct invocation *invocation, const char *argument);
const char *command_find_similar(struct invocation *invocation, struct text callsign);

#endif
