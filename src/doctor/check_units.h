/* The checks of the shipped units: their settings, sockets and ports, and whether two installations
 * are in each other's way. */
#ifndef QSOSYNC_DOCTOR_CHECK_UNITS_H
#define QSOSYNC_DOCTOR_CHECK_UNITS_H

#include "doctor/doctor.h"
#include "doctor/findings.h"

/* Whether systemd finds a unit of that name: one that the operator has put there, or the package.
 */
bool check_units_has(struct arena *arena, const char *name);

/* Looks for wrong settings, from which no worker starts. False where there is one: what follows
 * from it need not be told. */
bool check_units_settings(struct doctor *doctor, struct findings *findings);

/* The socket of NAME.socket, if NAME.service gives its workers this logbook; it is expected where
 * it is `needed`, or the operator has put or enabled the unit. False where requests cannot reach
 * it. */
bool check_units_socket(struct doctor *doctor, const char *check, const char *name, bool needed,
                        struct findings *findings);

/* The port of the cluster feed, and a package that was
 * installed beside what make install has put there. */
void check_units_installed(struct doctor *doctor, struct findings *findings);

#endif
