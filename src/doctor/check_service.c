/* Checks a service at its address, from the view of a client. The service must answer over TLS,
 * with the headers that browsers need and the right time. The service must accept a key, and let
 * members sign in. If the service itself fails, nothing can be concluded about the web server. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/folder.h"
#include "base/log.h"
#include "doctor/doctor.h"
#include "doctor/probe.h"
#include "doctor/service_checks.h"
#include "store/club/club.h"

static void examine(struct examination *seen, struct text key)
{
    int64_t sent_ms = clock_wall_ms();
    const struct client_response response =
        probe_ask(seen, .url = API "/openapi.json", .headers = {"Origin: " PROBE_ORIGIN});
    if (!answer_check(seen, &response))
        return;
    bool safe = certificate_check(seen, &response);
    const struct client_response health = probe_ask(seen, .url = PROBE_SELF);
    const char *protocol = probe_find_text(&health, "protocol");
    seen->said_address = probe_find_text(&health, "address");
    seen->is_proxied = strstr(health.body, "\"X-Forwarded-") || strstr(health.body, "\"Via\"") ||
                       (protocol && strcmp(protocol, "HTTP/1.0") == 0);
    headers_check_cors(seen, &response);
    headers_check_clock(seen, sent_ms, &response);
    if (safe && !seen->failed)
        key_check(seen, key);
    if (safe && !seen->failed)
        sign_in_check(seen, &health);
    if (!seen->failed)
        limit_check(seen, &response);
}

/* Gives up root's rights, because answers come from outside. The checks then run as the logbook's
 * owner, or as root if the owner cannot read the file in CURL_CA_BUNDLE. Returns the previous
 * rights. */
static struct folder_ids give_up_rights(struct examination *seen)
{
    const char *authority = getenv("CURL_CA_BUNDLE");
    const struct folder_ids before = {geteuid(), getegid()};
    folder_act_as_owner(seen->path, NULL);
    if (authority && eaccess(authority, R_OK) != 0)
        folder_act_as(before);
    return before;
}

void doctor_examine_service(struct doctor *doctor, const char *url, struct text key)
{
    struct examination seen;
    struct text site = text_of(url);
    examination_begin(&seen, doctor);
    const struct folder_ids before = give_up_rights(&seen);
    club_check_value(CLUB_ADDRESS,
                     &site); /* removes /api/v1 and slashes at the end of the address */
    seen.site = print(&seen, "%.*s", (int)site.length, site.bytes);
    seen.base = print(&seen, "%s" API, seen.site);
    seen.is_encrypted = strncasecmp(url, "https:", 6) == 0;
    const char *host = strstr(seen.base, "://") + 3;
    size_t end = *host == '[' ? strcspn(host, "]") + 1 : strcspn(host, ":/");
    seen.host = print(&seen, "%.*s", (int)end, host);
    examine(&seen, key);
    folder_act_as(before);
    log_keep_first(NULL);
}
