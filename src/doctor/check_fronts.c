/* Looks at the web servers of this machine that have a site of QSOsync: whether they run, and what
 * they themselves say of why they do not, and what Apache lacks. How a site answers is looked at in
 * check_service.c. */
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "doctor/machine.h"

#define SAID_BYTES 2048
#define SAID_BYTES_SHOWN 400

static const struct front {
    const char *unit;
    const char *folders[3];
    const char *pid_file;
    const char *configuration; /* may name another pid_file */
    const char *test;          /* its own look at its configuration */
    const char *name_line, *certificate_line;
} fronts[] = {
    {"nginx",
     {"/etc/nginx/sites-enabled/", "/etc/nginx/conf.d/"},
     "/run/nginx.pid",
     "/etc/nginx/nginx.conf",
     "nginx -t",
     "server_name",
     "ssl_certificate"},
    {"apache2",
     {"/etc/apache2/sites-enabled/"},
     "/run/apache2/apache2.pid",
     "",
     "apachectl configtest",
     "ServerName",
     "SSLCertificateFile"},
};
#define FRONTS (sizeof fronts / sizeof *fronts)

/* -- Sites ------------------------------------------------------------------------------------- */

/* What the first group of an extended regular expression finds behind the beginning of a line that
 * is no comment, in the arena; NULL: nothing. */
static const char *find(struct examination *seen, const char *text, const char *pattern)
{
    regex_t compiled;
    regmatch_t found[2];
    const char *behind = print(seen, "^[^#]*%s", pattern);
    if (regcomp(&compiled, behind, REG_EXTENDED | REG_ICASE | REG_NEWLINE) != 0)
        return NULL;
    bool is_found = regexec(&compiled, text, 2, found, 0) == 0;
    regfree(&compiled);
    return is_found ? arena_copy(seen->arena, text + found[1].rm_so,
                                 (size_t)(found[1].rm_eo - found[1].rm_so))
                    : NULL;
}

/* This name or number, and not as a part of another. */
static bool has_word(struct examination *seen, const char *text, const char *word)
{
    return find(seen, text, print(seen, "(^|[^a-z0-9.-])%s($|[^a-z0-9.-])", word));
}

/* The first value of a directive. */
static const char *find_value(struct examination *seen, const char *text, const char *directive)
{
    return find(seen, text, print(seen, "%s[ \t]+([^ \t;]+)", directive));
}

/* What the sites of this machine tell of one of them. */
struct site {
    const char *text; /* of the last one that was found; NULL: there is none */
    const char *certificate;
};

/* Of the site with this name; NULL: of any of QSOsync. */
static struct site find_site(struct examination *seen, const struct front *front, const char *name)
{
    struct site site = {NULL, NULL};
    for (const char *const *folder = front->folders; *folder; folder++)
        for (const char **path = files_list(seen->arena, *folder, "", ""); *path; path++) {
            const char *text = files_read(seen->arena, *path, NULL);
            if (!text ||
                !(name ? find_value(seen, text, front->name_line) && has_word(seen, text, name)
                       : find(seen, text, "(/qsosync)") != NULL))
                continue;
            const char *certificate = find_value(seen, text, front->certificate_line);
            site = (struct site){text, certificate ? certificate : site.certificate};
        }
    return site;
}

bool fronts_have_site(struct examination *seen, const char **certificate)
{
    bool found = false;
    *certificate = NULL;
    for (size_t i = 0; i < FRONTS; i++) {
        const struct site site = find_site(seen, &fronts[i], seen->host);
        found = found || site.text;
        *certificate = site.certificate ? site.certificate : *certificate;
    }
    return found;
}

/* -- Why a web server does not run ------------------------------------------------------------- */

/* By the number of its first process. */
static bool runs(struct examination *seen, const struct front *front)
{
    struct arena *arena = seen->arena;
    const char *text = files_read(arena, front->configuration, NULL);
    const char *named = text ? find_value(seen, text, "pid") : NULL;
    text = files_read(arena, named ? named : front->pid_file, NULL);
    const char *name =
        files_read(arena, print(seen, "/proc/%ld/comm", text ? strtol(text, NULL, 10) : 0), NULL);
    return name && strncmp(name, front->unit, strlen(front->unit)) == 0;
}

/* What it says of its configuration, without its remarks; NULL: it accepts it. */
static const char *test_configuration(struct examination *seen, const struct front *front)
{
    char said[SAID_BYTES] = "", *save = NULL;
    const char *shown = "";
    FILE *output =
        popen(print(seen, "PATH=$PATH:/usr/sbin:/sbin timeout 20 %s 2>&1 < /dev/null", front->test),
              "re");
    if (!output)
        return NULL;
    size_t length = fread(said, 1, sizeof said - 1, output);
    while (fgetc(output) != EOF)
        ;
    said[length] = '\0';
    if (pclose(output) == 0)
        return NULL;
    for (char *line = strtok_r(said, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
        if (!strstr(line, "AH00558") && !strstr(line, "[warn]") && !strstr(line, "test failed") &&
            strncmp(line, "Action '", 8) != 0 && strncmp(line, "The Apache error log", 20) != 0)
            shown = print(seen, "%s%s%s", shown, *shown ? " " : "", line);
    return print(seen, "%.*s", SAID_BYTES_SHOWN, shown);
}

/* The shipped site of Apache says which modules it needs, and does without TLS behind a proxy. */
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
    return !*lacking || trouble(seen, "web server",
                                print(seen, "a2enmod -q%s && systemctl restart apache2", lacking),
                                "Apache lacks modules that the site of QSOsync needs:%s", lacking);
}

/* A port that the site names and another program has; 0: there is none. */
static unsigned find_taken_port(struct examination *seen, const char *site)
{
    static const unsigned ports[] = {443, 80, 8080};
    for (size_t i = 0; i < sizeof ports / sizeof *ports; i++)
        if (has_word(seen, site, print(seen, "%u", ports[i])) && processes_have_port(ports[i]))
            return ports[i];
    return 0;
}

static bool check_front(struct examination *seen, const struct front *front, const char *site)
{
    const char *unit = front->unit;
    if (front->unit[0] == 'a' && !has_modules(seen, site))
        return false;
    const char *said = geteuid() == 0 ? test_configuration(seen, front) : NULL;
    const char *restart = print(seen, "systemctl restart %s", unit);
    const char *mend = print(seen, "mend what it says, then %s", restart);
    if (runs(seen, front)) {
        if (said)
            warn(seen, "web server", mend,
                 "%s goes on with a former configuration and will not start again: %s says: %s",
                 unit, front->test, said);
        return true;
    }
    unsigned taken = find_taken_port(seen, site);
    if (said)
        return trouble(seen, "web server", mend, "%s does not run: %s says: %s", unit, front->test,
                       said);
    if (taken)
        return trouble(
            seen, "web server",
            print(seen,
                  "end that program, which ss -ltnp names, or let it listen elsewhere, then %s",
                  restart),
            "%s does not run: port %u is taken by another program", unit, taken);
    return trouble(seen, "web server", restart, "%s does not run", unit);
}

/* Of two with a site, one may be left over: the one that runs counts, or else that is to run. */
bool fronts_check(struct examination *seen)
{
    enum { NO_SITE, IS_THERE, IS_ENABLED, RUNS } best = NO_SITE, states[FRONTS] = {NO_SITE};
    struct site sites[FRONTS];
    bool right = true;
    for (size_t i = 0; i < FRONTS; i++) {
        const struct unit *unit =
            units_read(seen->arena, print(seen, "%s.service", fronts[i].unit));
        sites[i] = find_site(seen, &fronts[i], NULL);
        if (sites[i].text)
            states[i] = runs(seen, &fronts[i]) ? RUNS : unit->enabled ? IS_ENABLED : IS_THERE;
        best = states[i] > best ? states[i] : best;
    }
    for (size_t i = 0; i < FRONTS && best != NO_SITE; i++)
        if (states[i] == best)
            right = check_front(seen, &fronts[i], sites[i].text) && right;
    return right;
}
