/* Reads the systemd units on this machine. */
#ifndef QSOSYNC_DOCTOR_UNITS_H
#define QSOSYNC_DOCTOR_UNITS_H

#include <stdbool.h>

#include "base/arena.h"

/* A variable in a unit's environment. A later variable replaces an earlier variable with the same
 * name. */
struct variable {
    struct variable *next;  /* the variable that was set before; NULL: none */
    const char *assignment; /* "NAME=value" */
    const char *file;       /* path of the file that sets the variable */
};

/* A unit as written in its files (systemd.unit(5)), whether or not systemd is running. */
struct unit {
    const char *path; /* path of the unit's file; NULL: the unit does not exist */
    const char *user;
    const char *port; /* value of ListenStream */
    struct variable *variables;
};

/* Reads the unit and its drop-ins. The result is in the arena. */
const struct unit *units_read(struct arena *arena, const char *name);

/* Return the variable that is in effect for "NAME=", and its value, or NULL if the variable is not
 * set. */
const struct variable *units_find(const struct unit *unit, const char *name);
const char *units_value(const struct unit *unit, const char *name);

/* Returns whether the unit exists and its program uses this logbook. */
bool units_use_logbook(const struct unit *unit, const char *logbook);

#endif
