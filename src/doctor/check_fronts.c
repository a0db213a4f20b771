/* Looks at the web servers of this machine that have a site of QSOsync: whether they run, what they
 * themselves say of why they do not, what Apache lacks, and which certificate a site names. How a
 * site answers is looked at in check_service.c. */
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/folder.h"
#include "doctor/machine.h"

#define SAID_BYTES_SHOWN 400

static const struct front {
    const char *unit;
    const char *folders[3];
    const char *pid_file, *configuration; /* which may name another pid_file */
    const char *test;                     /* its own look at its configuration */
    const char *certificate_line;
} fronts[] = {
    {"nginx",
     {"/etc/nginx/sites-enabled/", "/etc/nginx/conf.d/"},
     "/run/nginx.pid",
     "/etc/nginx/nginx.conf",
     "nginx -t",
     "ssl_certificate"},
    {"apache2",
     {"/etc/apache2/sites-enabled/"},
     "/run/apache2/apache2.pid",
     "",
     "apachectl configtest",
     "SSLCertificateFile"},
};
#define FRONTS (sizeof fronts / sizeof *fronts)

/* -- Sites ------------------------------------------------------------------------------------- */

/* What the first group of an extended regular expression finds behind the beginning of a line that
 * is no comment, in the arena; NULL: nothing. */
static const char *find(struct examination *seen, const char *text, const char *pattern)
{
    regmatch_t found[2];
    const char *behind = print(seen, "^[^#]*%s", pattern);
    return text_search(text, behind, REG_ICASE | REG_NEWLINE, 2, found)
               ? arena_copy(seen->arena, text + found[1].rm_so,
                            (size_t)(found[1].rm_eo - found[1].rm_so))
               : NULL;
}

/* The text of the last site in whose file this pattern is found; NULL: there is none. The file of
 * its certificate, if it names one. */
static const char *find_site(struct examination *seen, const struct front *front,
                             const char *pattern, const char **certificate)
{
    const char *line = print(seen, "%s[ \t]+([^ \t;]+)", front->certificate_line), *site = NULL;
    for (const char *const *folder = front->folders; *folder; folder++)
        for (const char **name = folder_list(*folder, seen->arena); *name; name++) {
            const char *text = files_read(seen->arena, print(seen, "%s%s", *folder, *name), NULL);
            if (!text || !find(seen, text, pattern))
                continue;
            const char *named = find(seen, text, line);
            *certificate = named ? named : *certificate;
            site = text;
        }
    return site;
}

bool fronts_have_site(struct examination *seen, const char **certificate)
{
    bool found = false;
    const char *name =
        print(seen, "(server_?name|ServerAlias)[ \t](.*[ \t])?%s($|[ \t;])", seen->host);
    *certificate = NULL;
    for (size_t i = 0; i < FRONTS; i++)
        found = find_site(seen, &fronts[i], name, certificate) || found;
    return found;
}

/* -- Why a web server does not run ------------------------------------------------------------- */

/* By the number of its first process. */
static bool runs(struct examination *seen, const struct front *front)
{
    const char *text = files_read(seen->arena, front->configuration, NULL);
    const char *named = text ? find(seen, text, "pid[ \t]+([^ \t;]+)") : NULL;
    text = files_read(seen->arena, named ? named : front->pid_file, NULL);
    const char *name = processes_name(seen->arena, text ? (pid_t)strtol(text, NULL, 10) : 0);
    return name && strncmp(name, front->unit, strlen(front->unit)) == 0;
}

/* What it says of its configuration, without its remarks; NULL: it accepts it. */
static const char *test_configuration(struct examination *seen, const struct front *front)
{
    static const char remarks[] = "AH00558|\\[warn]|test failed|Action '|The Apache error log";
    char said[SAID_BYTES_SHOWN];
    FILE *output = popen(print(seen,
                               "PATH=$PATH:/usr/sbin:/sbin; said=$(timeout 20 %s 2>&1 < /dev/null) "
                               "|| printf '%%s\n ' \"$said\" | grep -Ev \"%s\" | tr '\\n' ' '",
                               front->test, remarks),
                         "re");
    size_t length = output ? fread(said, 1, sizeof said, output) : 0;
    if (output)
        pclose(output);
    const bool has_failed = length > 0;
    while (length > 0 && said[length - 1] == ' ')
        length--;
    return has_failed ? arena_copy(seen->arena, said, length) : NULL;
}

/* The shipped site of Apache needs modules, and does without TLS behind a proxy. */
static bool has_modules(struct examination *seen, const char *site)
{
    static const char *const modules[] = {"proxy",   "proxy_fcgi", "buffer",  "headers",
                                          "rewrite", "alias",      "deflate", "ssl"};
    const char *lacking = "";
    if (!find(seen, site, "(/qsosync-workers.con|proxy:unix:)"))
        return true;
    for (size_t i = 0; i < sizeof modules / sizeof *modules; i++)
        if ((strcmp(modules[i], "ssl") != 0 || find(seen, site, "(SSLEngine)")) &&
            access(print(seen, "/etc/apache2/mods-enabled/%s.load", modules[i]), F_OK) != 0)
            lacking = print(seen, "%s %s", lacking, modules[i]);
    return !*lacking || found_with(seen, FRONT_LACKS_MODULES,
                                   print(seen, FRONT_LACKS_MODULES_FIX, lacking), lacking);
}

/* A port that the site names and another program has; 0: there is none. */
static unsigned find_taken_port(struct examination *seen, const char *site)
{
    static const unsigned ports[] = {443, 80, 8080};
    for (size_t i = 0; i < sizeof ports / sizeof *ports; i++)
        if (find(seen, site, print(seen, "[^a-z0-9.-](%u)($|[^a-z0-9.-])", ports[i])) &&
            processes_have_port(ports[i]))
            return ports[i];
    return 0;
}

static bool check_front(struct examination *seen, const struct front *front, const char *site)
{
    const char *unit = front->unit;
    if (unit[0] == 'a' && !has_modules(seen, site))
        return false;
    const char *said = geteuid() == 0 ? test_configuration(seen, front) : NULL;
    const char *restart = print(seen, "systemctl restart %s", unit);
    const char *mend = print(seen, "fix what it reports, then %s", restart);
    if (runs(seen, front) && said)
        found_with(seen, FRONT_OUTDATED, mend, unit, front->test, said);
    if (runs(seen, front))
        return true;
    if (said)
        return found_with(seen, FRONT_REFUSES, mend, unit, front->test, said);
    unsigned taken = find_taken_port(seen, site);
    if (!taken)
        return found_with(seen, FRONT_STOPPED, restart, unit);
    return found_with(seen, FRONT_LACKS_PORT, print(seen, FRONT_LACKS_PORT_FIX, restart), unit,
                      taken);
}

/* Of two with a site, one may be left over: the one that runs counts. */
bool fronts_check(struct examination *seen)
{
    const struct front *present = NULL;
    const char *site = NULL, *certificate = NULL;
    for (const struct front *front = fronts; front < fronts + FRONTS; front++) {
        const char *found = find_site(seen, front, "(/qsosync)", &certificate);
        if (found && (!present || runs(seen, front))) {
            present = front;
            site = found;
        }
    }
    return !present || check_front(seen, present, site);
}
