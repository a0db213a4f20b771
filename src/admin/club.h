/* The address of the service, for links and QR codes that commands print. */
#ifndef QSOSYNC_ADMIN_CLUB_H
#define QSOSYNC_ADMIN_CLUB_H

#include "admin/command.h"

/* Without "/api/v1" and a slash at its end, in the invocation's arena: the one that is given, or
 * (NULL) that of the logbook, or of QSOSYNC_ADDRESS. Returns EXIT_DONE, or an exit status after a
 * line on standard error, which says how to set it. */
int service_address_find(struct invocation *invocation, const char *given, const char **address);

/* Tells a person, as command_say does, at which address of the logbook's service a program finds
 * what it asks for, if that is known: the address is followed by the path. */
int service_address_say(struct invocation *invocation, const char *path);

#endif
