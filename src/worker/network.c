/* Reads addresses as front servers write them. IPv4 in the form of IPv6, as sockets for both report
 * it, is IPv4. Which requests count, and how many there may be, is left to the modules that count:
 * rate_limit.c and the site's guesses.c. */
#include "worker/network.h"

#include <arpa/inet.h>
#include <string.h>

void network_of(const char *address, struct network *out)
{
    static const unsigned char mapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
    unsigned char bytes[16];
    uint32_t ipv4;
    memset(out, 0, sizeof *out);
    if (address && inet_pton(AF_INET, address, bytes) == 1) {
        memcpy(&ipv4, bytes, sizeof ipv4);
    } else if (!address || inet_pton(AF_INET6, address, bytes) != 1) {
        out->family = NETWORK_NO_ADDRESS;
        return;
    } else if (memcmp(bytes, mapped, sizeof mapped) == 0) {
        memcpy(&ipv4, bytes + sizeof mapped, sizeof ipv4);
    } else {
        memcpy(&out->number, bytes, sizeof out->number);
        out->family = 6;
        return;
    }
    out->number = ipv4;
    out->family = 4;
}
