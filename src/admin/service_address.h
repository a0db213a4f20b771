/* Finds the address at which members reach the service. */
#ifndef QSOSYNC_ADMIN_SERVICE_ADDRESS_H
#define QSOSYNC_ADMIN_SERVICE_ADDRESS_H

#include "admin/command.h"

/* Returns the given address or, if `given` is NULL, the address in the logbook or in
 * QSOSYNC_ADDRESS. club_check_value has normalised the address. The text is in the invocation's
 * arena. Ends the program if no address is set. */
const char *service_address_find(struct invocation *invocation, const char *given);

/* Prints, as output_report does, the address that a program needs: the service's address, followed
 * by the path. Does nothing if the address is unknown or invalid. */
void service_address_say(struct invocation *invocation, const char *path);

#endif
