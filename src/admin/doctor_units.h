/* What the doctor checks about the shipped units: their settings, sockets and ports, and whether
 * two installations are in each other's way. */
#ifndef QSOSYNC_ADMIN_DOCTOR_UNITS_H
#define QSOSYNC_ADMIN_DOCTOR_UNITS_H

#include "admin/command.h"
#include "admin/findings.h"

/* Whether systemd finds a unit of that name: one that the operator has put there, or the package.
 */
bool doctor_units_has(struct arena *arena, const char *name);

/* Looks for wrong settings, from which no worker starts. False where there is one: what follows
 * from it need not be told. */
bool doctor_look_at_settings(struct invocation *invocation, struct findings *findings);

/* The socket of NAME.socket, if NAME.service gives its workers this logbook; it is expected where
 * it is `needed`, or the operator has put or enabled the unit. False where requests cannot reach
 * it. */
bool doctor_look_at_socket(struct invocation *invocation, const char *check, const char *name,
                           bool needed, struct findings *findings);

/* The port of the cluster feed, and a package that was
 * installed beside what make install has put there. */
void doctor_look_at_units(struct invocation *invocation, struct findings *findings);

#endif
