/* Settings: environment variables, in one table for all programs. */
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

/* Looks up a setting among the request's variables, after the process environment was found to lack
 * the setting. Only the front server's configuration can set such a variable. Returns NULL if the
 * request lacks the setting, too. */
typedef const char *setting_lookup(void *context, const char *name);

/* Return a text setting, or a number within its range. settings_check rejects an invalid value in
 * the environment; an invalid value in a request is ignored. Without a valid value, the functions
 * return the default. */
const char *settings_text(enum setting_index setting, setting_lookup *lookup, void *context);
int64_t settings_number(enum setting_index setting, setting_lookup *lookup, void *context);

/* Returns the setting's value from the environment or the request. NULL: it is not set. */
const char *settings_find(enum setting_index setting, setting_lookup *lookup, void *context);

enum setting_fault {
    SETTING_FINE,    /* valid, or not a setting of QSOsync */
    SETTING_UNKNOWN, /* a misspelt name, or a name from another version, which has no effect */
    SETTING_WRONG,   /* an invalid value, with which a program does not start */
};

/* Returns the fault in one environment variable, "NAME=value", and appends a description of the
 * fault to *why. */
enum setting_fault settings_find_fault(const char *assignment, struct buffer *why);

/* Checks the process environment: logs faults, and returns false if a value is invalid. */
bool settings_check(void);

/* Prints the table for people who call --help. */
void settings_print(void);

#endif
