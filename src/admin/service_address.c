/* Finds the address that members reach the service at: of an option, of the logbook, or of the
 * environment, in this order. What an address may be is decided by store/club.c; what is made of it
 * is left to the commands. */
#include "admin/service_address.h"

#include <stdlib.h>

#include "store/club.h"

#define VARIABLE "QSOSYNC_ADDRESS"

/* That of the logbook, or of the environment; no text: neither is there. */
static struct text known_address(const struct club *club)
{
    struct text address = club->values[CLUB_ADDRESS];
    return address.bytes ? address : text_of(getenv(VARIABLE));
}

int service_address_find(struct invocation *invocation, const char *given, const char **address)
{
    struct club club;
    if (store_read_club(invocation->store, invocation->arena, &club) != STORE_DONE)
        return EXIT_REFUSED;
    struct text text = given ? text_of(given) : known_address(&club);
    const char *fault = text.bytes ? club_judge(CLUB_ADDRESS, &text) : NULL;
    if (fault && given)
        return command_misuse("option --address %s", fault);
    if (fault)
        return command_refuse(VARIABLE " %s", fault);
    if (given && !text.bytes)
        return command_misuse("option --address needs a value");
    if (!text.bytes)
        return command_refuse("the address of the service is not known; set it once with: "
                              "qsosync-admin club set --address https://log.example.org");
    *address = arena_copy(invocation->arena, text.bytes, text.length);
    return EXIT_DONE;
}

int service_address_say(struct invocation *invocation, const char *path)
{
    struct club club;
    if (store_read_club(invocation->store, invocation->arena, &club) != STORE_DONE)
        return EXIT_DONE;
    struct text address = known_address(&club);
    if (!address.bytes || club_judge(CLUB_ADDRESS, &address) || !address.bytes)
        return EXIT_DONE;
    return command_say("The address for the program is %.*s%s.", (int)address.length, address.bytes,
                       path);
}
