/* Returns commands to paste, which several checks of a service recommend. */
#include "doctor/fixes.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "installation.h"

#define PUT_SITE QSOSYNC_SHARED_FILES "/service/put-site "

/* Returns the command that installs the site. On a shared host, returns NULL: the user has no root
 * rights, and the only site file is .htaccess, which can belong to another program. */
const char *fixes_put_site_with(struct examination *seen, const char *before, const char *option)
{
    const char *home = getenv("HOME");
    const size_t length = home ? strlen(home) : 0;
    if (length > 1 && getuid() != 0 && strncmp(QSOSYNC_SHARED_FILES, home, length) == 0)
        return NULL;
    return print(seen, "%s" PUT_SITE "%s %s%s", before, seen->is_apache ? "apache" : "nginx",
                 quote(seen, seen->host), option);
}

const char *fixes_put_site(struct examination *seen)
{
    const char *line = fixes_put_site_with(seen, "", "");
    return line ? line : "install the .htaccess files as the README describes for a shared host";
}

const char *fixes_examine(struct examination *seen, const char *address)
{
    return print(seen, "qsosync-admin doctor %s", quote(seen, address));
}
