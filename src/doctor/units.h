/* The units of systemd as they are written on this machine. systemd itself is not asked: it may not
 * run. See systemd.unit(5) and systemd.exec(5). */
#ifndef QSOSYNC_DOCTOR_UNITS_H
#define QSOSYNC_DOCTOR_UNITS_H

#include <stdbool.h>

#include "base/arena.h"

#define UNIT_VARIABLES_MAX 32

struct unit {
    const char *path; /* of its file; NULL: there is none */
    const char
        *hidden;      /* of a file of the same name that counts no longer, the package's; or NULL */
    bool by_operator; /* its file is below /etc */
    bool enabled;     /* it is started with the machine */
    const char *user;
    const char *port;                              /* ListenStream */
    const char *variables[UNIT_VARIABLES_MAX + 1]; /* "NAME=value"; NULL follows the last */
    const char *files[UNIT_VARIABLES_MAX];         /* the file in which each stands */
};

/* Reads the unit with its drop-ins, all of it into the arena. */
void units_read(struct arena *arena, const char *name, struct unit *out);

/* Whether the unit is there and gives its program this logbook. */
bool units_use_logbook(const struct unit *unit, const char *logbook);

/* The value of a variable that the unit sets; NULL: it does not. */
const char *units_variable(const struct unit *unit, const char *name);

#endif
