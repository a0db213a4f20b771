/* Sends requests to the examined service, and reads the answers. */
#include "doctor/probe.h"

#include <string.h>

#include "base/host.h"
#include "base/host_local.h"
#include "doctor/findings.h"
#include "doctor/fixes.h"
#include "doctor/workers.h"

struct client_response probe_send(struct examination *seen, struct client_request request)
{
    if (*request.url == '/')
        request.url = print(seen, "%s%s", seen->site, request.url);
    return client_send(&request, seen->arena);
}

const char *probe_find_text(const struct client_response *response, const char *name)
{
    const char *mark = print(response, "\"%s\":\"", name);
    const char *found = strstr(response->body, mark);
    return found ? print(response, "%.*s", (int)strcspn(found + strlen(mark), "\"\\"),
                         found + strlen(mark))
                 : NULL;
}

bool probe_asks_this_machine(struct examination *seen)
{
    struct host host;
    return host_read(text_of(seen->host), &host) && host_is_this_machine(&host);
}

bool probe_has_failed(struct examination *seen, const char *check, long status)
{
    if (seen->failed || (status < 500 && status != 429))
        return seen->failed;
    seen->failed = true;
    if (status == 429)
        trouble(seen, check, print(seen, "sleep 60; %s", fixes_examine(seen, seen->base)),
                "this address has made too many requests (status 429)");
    else
        trouble(seen, check, workers_command(seen, "doctor"),
                "the service itself fails (status %ld), so no further checks "
                "were made",
                status);
    return true;
}
