/* Finds the address at which members reach the service: from an option, the logbook, or the
 * environment, in this order. store/club/club.c decides which addresses are valid. */
#include "admin/service_address.h"

#include <stdlib.h>

#include "admin/club.h"
#include "admin/command.h"
#include "admin/output.h"
#include "store/club/club.h"

#define VARIABLE "QSOSYNC_ADDRESS"

/* Returns the address in the logbook or the environment, or no text if the address is not set. */
static struct text known_address(struct invocation *invocation)
{
    const struct text address = club_read(invocation).values[CLUB_ADDRESS];
    return address.bytes ? address : text_of(getenv(VARIABLE));
}

const char *service_address_find(struct invocation *invocation, const char *given)
{
    struct text text = given ? text_of(given) : known_address(invocation);
    const char *fault = text.bytes ? club_check_value(CLUB_ADDRESS, &text) : NULL;
    if (fault && given)
        command_misuse("option --address %s", fault);
    if (fault)
        command_refuse(VARIABLE " %s", fault);
    if (given && !text.bytes)
        command_misuse("option --address needs a value");
    if (!text.bytes)
        command_refuse("the service's address is not set; set it once with: "
                       "qsosync-admin club set --address https://log.example.org");
    return arena_copy(invocation->arena, text.bytes, text.length);
}

void service_address_say(struct invocation *invocation, const char *path)
{
    struct text address = known_address(invocation);
    if (address.bytes && !club_check_value(CLUB_ADDRESS, &address) && address.bytes)
        output_report("The address for the program is %.*s%s.", (int)address.length, address.bytes,
                      path);
}
