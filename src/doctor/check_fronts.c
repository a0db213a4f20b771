/* Checks the web servers on this machine: whether a server has a site for QSOsync, and whether that
 * server runs. If it does not run, the finding has the reason that the server reports.
 * check_service.c checks how a site answers. */
#include <string.h>
#include <unistd.h>

#include "base/folder.h"
#include "doctor/checks.h"
#include "doctor/findings.h"
#include "doctor/front_rights.h"
#include "doctor/front_state.h"
#include "doctor/units.h"
#include "installation.h"

#define PUT_SITE QSOSYNC_SHARED_FILES "/service/put-site "
#define OWN_NAME "https://"

static bool check_front(struct examination *seen, const struct front *front, const char *site)
{
    const char *unit = front->unit;
    if (unit[0] == 'a' && !front_state_has_modules(seen, site))
        return false;
    const char *said = geteuid() == 0 ? front_state_test(seen, front) : NULL;
    const char *fix = print(seen, "fix the reported error, then systemctl restart %s", unit);
    const bool is_running = front_state_runs(seen, front);
    if (is_running && said)
        found_with(seen, FRONT_OUTDATED, fix, unit, front->test, said);
    if (is_running)
        return front_rights_check_files(seen);
    if (said)
        return found_with(seen, FRONT_REFUSES, fix, unit, front->test, said);
    return front_state_report_stopped(seen, front, site);
}

/* Returns the running server, or else an installed server. Returns NULL if another program could be
 * the web server, or if no server is installed. */
static const struct front *find_front_without_site(struct examination *seen)
{
    static const unsigned ports[] = {80, 443, 8080};
    for (size_t i = 0; i < SITES_FRONTS; i++)
        if (front_state_runs(seen, &sites_fronts[i]))
            return &sites_fronts[i];
    for (size_t i = 0; i < sizeof ports / sizeof *ports; i++)
        if (processes_is_port_open(seen->arena, ports[i]))
            return NULL;
    for (size_t i = 0; i < SITES_FRONTS; i++)
        if (access(sites_fronts[i].folders[0], F_OK) == 0)
            return &sites_fronts[i];
    return NULL;
}

/* Reports that no web server has a site for QSOsync. Where systemd starts the workers for this
 * logbook, a web server needs a site that uses their sockets. */
static bool report_no_site(struct examination *seen, const char *closed)
{
    struct text own = {0};
    if (!units_use_logbook(units_read(seen->arena, "qsosync.service"), seen->path))
        return true;
    if (closed)
        return found_with(seen, FRONT_UNSEEN,
                          print(seen, FRONT_UNSEEN_FIX, examination_option(seen)), closed);
    const struct front *front = find_front_without_site(seen);
    if (!front)
        return true;
    const char *put = print(seen, PUT_SITE "%s ", *front->unit == 'a' ? "apache" : "nginx");
    const bool is_known = examination_read_address(seen, &own) && own.length > strlen(OWN_NAME) &&
                          memcmp(own.bytes, OWN_NAME, strlen(OWN_NAME)) == 0;
    const char *name = is_known ? print(seen, "%.*s", (int)(own.length - strlen(OWN_NAME)),
                                        own.bytes + strlen(OWN_NAME))
                                : NULL;
    return found_with(seen, FRONT_WITHOUT_SITE,
                      name ? print(seen, "%s%s", put, quote(seen, name))
                           : print(seen, FRONT_WITHOUT_SITE_FIX, put),
                      front->unit, front->folders[0]);
}

/* Checks the web servers on this machine. If two servers have a site, the running server counts,
 * because the other site can be a leftover. */
bool fronts_check(struct examination *seen)
{
    const struct folder_ids before = examination_regain_rights();
    const struct front *present = NULL;
    const char *text = NULL, *closed = NULL;
    for (const struct front *front = sites_fronts; front < sites_fronts + SITES_FRONTS; front++) {
        struct site site = {0};
        sites_find(seen, front, "(/qsosync)", &site);
        closed = site.closed ? site.closed : closed;
        if (site.text && (!present || front_state_runs(seen, front))) {
            present = front;
            text = site.text;
        }
    }
    const bool is_fine = present ? check_front(seen, present, text) : report_no_site(seen, closed);
    folder_act_as(before);
    return is_fine;
}
