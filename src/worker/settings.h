/* Settings: environment variables, one table of them for both programs. */
#ifndef QSOSYNC_WORKER_SETTINGS_H
#define QSOSYNC_WORKER_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"

enum setting_index {
#define ROW(name, value, minimum, maximum, description) SETTING_##name,
#include "schema/settings.inc"
#undef ROW
    SETTING_COUNT
};

/* Where a name is looked up when the process environment lacks it: a variable of the request, which
 * only the front server's configuration can set. NULL when absent there, too. */
typedef const char *setting_lookup(void *context, const char *name);

/* A text setting, or a number within its range. settings_check rejects a wrong value in the
 * environment; in a request it counts as absent. */
const char *settings_text(enum setting_index setting, setting_lookup *lookup, void *context);
int64_t settings_number(enum setting_index setting, setting_lookup *lookup, void *context);

/* Its value in either place; NULL: not set. */
const char *settings_find(enum setting_index setting, setting_lookup *lookup, void *context);

enum setting_fault {
    SETTING_FINE,    /* or none of ours */
    SETTING_UNKNOWN, /* misspelt, or of another version: it has no effect */
    SETTING_WRONG,   /* a program that gets it does not start */
};

/* The fault of one variable of an environment, "NAME=value"; the sentence is appended. */
enum setting_fault settings_judge(const char *assignment, struct buffer *why);

/* Checks the process environment: logs unknown settings, and returns false for a value out of
 * range. */
bool settings_check(void);

/* Prints the table for a person: --help. */
void settings_print(void);

#endif
