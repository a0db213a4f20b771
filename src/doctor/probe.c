/* Asks the service that is examined, and makes the lines to paste that several of its checks
 * advise. */
#include "doctor/probe.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/host.h"
#include "base/host_local.h"
#include "doctor/checks.h"

struct client_response probe_send(struct examination *seen, struct client_request request)
{
    if (*request.url == '/')
        request.url = print(seen, "%s%s", seen->site, request.url);
    return client_send(&request, seen->arena);
}

/* -- Lines to paste ---------------------------------------------------------------------------- */

#define PUT_SITE QSOSYNC_SHARED_FILES "/service/put-site "

/* A shared host's user has no root's rights, and no other site's file than .htaccess, which may be
 * another program's. */
const char *probe_fix_by_putting(struct examination *seen, const char *before, const char *option)
{
    const char *home = getenv("HOME");
    const size_t length = home ? strlen(home) : 0;
    if (length > 1 && getuid() != 0 && strncmp(QSOSYNC_SHARED_FILES, home, length) == 0)
        return NULL;
    return print(seen, "%s" PUT_SITE "%s %s%s", before, seen->is_apache ? "apache" : "nginx",
                 quote(seen, seen->host), option);
}

const char *probe_fix_for_site(struct examination *seen)
{
    const char *line = probe_fix_by_putting(seen, "", "");
    return line ? line : "install the .htaccess files as the README describes for a shared host";
}

bool probe_asks_this_machine(struct examination *seen)
{
    struct host host;
    return host_read(text_of(seen->host), &host) && host_is_this_machine(&host);
}

const char *probe_fix_by_asking(struct examination *seen, const char *address)
{
    return print(seen, "qsosync-admin doctor %s", quote(seen, address));
}

bool probe_has_failed(struct examination *seen, const char *check, long status)
{
    if (seen->failed || (status < 500 && status != 429))
        return seen->failed;
    seen->failed = true;
    if (status == 429)
        trouble(seen, check, print(seen, "sleep 60; %s", probe_fix_by_asking(seen, seen->base)),
                "this address has made too many requests (status 429)");
    else
        trouble(seen, check, workers_command(seen, "doctor"),
                "the service itself fails (status %ld): no further checks "
                "were made",
                status);
    return true;
}
