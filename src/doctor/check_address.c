/* Compares the examined address with the service's own address, which links and QR codes use. */
#include <string.h>
#include <strings.h>

#include "doctor/findings.h"
#include "doctor/fixes.h"
#include "doctor/probe.h"
#include "doctor/service_checks.h"

/* Checks the service's own address. If the two addresses have different names, the fix does not
 * replace the service's own address. The examined address could be only a second name for the
 * service. */
bool address_check(struct examination *seen)
{
    struct text own = {0};
    bool is_unset = examination_read_address(seen, &own) && own.length == 0;
    const char *said = seen->said_address;
    const char *address = own.length > 0 ? print(seen, "%.*s", (int)own.length, own.bytes) : said;
    const char *rest = address ? strstr(address, "://") : NULL;
    bool is_same = is_unset || (rest && strcasecmp(rest, strstr(seen->site, "://")) == 0);
    const char *set = print(seen, "qsosync-admin %sclub set --address %s", examination_option(seen),
                            quote(seen, seen->site));
    if (is_same && said && strncasecmp(said, "http:", 5) == 0 && seen->is_encrypted)
        return found_with(seen, ADDRESS_IN_THE_CLEAR, set, said);
    if (!rest || probe_asks_this_machine(seen))
        return true;
    if (!is_same)
        return found_with(seen, ADDRESS_IS_ANOTHER, fixes_examine(seen, address), address);
    if (is_unset)
        found_with(seen, ADDRESS_UNKNOWN, set);
    else
        found(seen, ADDRESS_KNOWN, seen->site);
    return true;
}
