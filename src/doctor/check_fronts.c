/* Checks the web servers of this machine: whether one has a site of QSOsync, whether it runs, and
 * if not, the reason that it reports. Also which modules Apache lacks, which files it may not read,
 * and which certificate a site names. check_service.c checks how a site answers. */
#include <errno.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/text_search.h"
#include "doctor/checks.h"
#include "installation.h"

#define SAID_BYTES_SHOWN 400
#define FRONT_USER "www-data"
#define PUT_SITE QSOSYNC_SHARED_FILES "/service/put-site "
#define OWN_NAME "https://"

static const struct front {
    const char *unit;
    const char *folders[3];
    const char *pid_file, *configuration; /* this file may name another pid_file */
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

/* The match of an extended regular expression's first group after the beginning of a line that is
 * not a comment, in the arena; NULL: no match. */
static const char *find(struct examination *seen, const char *text, const char *pattern)
{
    regmatch_t found[2];
    const char *behind = print(seen, "^[^#]*%s", pattern);
    return text_search(text, behind, REG_ICASE | REG_NEWLINE, 2, found)
               ? arena_copy(seen->arena, text + found[1].rm_so,
                            (size_t)(found[1].rm_eo - found[1].rm_so))
               : NULL;
}

struct site {
    const char *text;        /* path of the file; NULL: no such file */
    const char *certificate; /* the file that it names; NULL: none */
    const char *closed;      /* a file that this user may not read, and which may be it; or NULL */
};

/* Takes the last site in whose file this pattern is found. */
static void find_site(struct examination *seen, const struct front *front, const char *pattern,
                      struct site *out)
{
    const char *line = print(seen, "%s[ \t]+([^ \t;]+)", front->certificate_line);
    for (const char *const *folder = front->folders; *folder; folder++)
        for (const char **name = folder_list(*folder, seen->arena); *name; name++) {
            const char *path = print(seen, "%s%s", *folder, *name);
            const char *text = files_read(seen->arena, path, NULL);
            if (!text && access(path, R_OK) != 0 && errno == EACCES)
                out->closed = path;
            if (!text || !find(seen, text, pattern))
                continue;
            const char *named = find(seen, text, line);
            out->certificate = named ? named : out->certificate;
            out->text = text;
        }
}

bool fronts_have_site(struct examination *seen, const char **certificate)
{
    struct site site = {0};
    const struct folder_ids before = rights_regain();
    const char *name =
        print(seen, "(server_?name|ServerAlias)[ \t](.*[ \t])?%s($|[ \t;])", seen->host);
    for (size_t i = 0; i < FRONTS; i++)
        find_site(seen, &fronts[i], name, &site);
    folder_act_as(before);
    *certificate = site.certificate;
    return site.text;
}

/* -- Why a web server does not run ------------------------------------------------------------- */

static const char *find_pid_file(struct examination *seen, const struct front *front)
{
    const char *text = files_read(seen->arena, front->configuration, NULL);
    const char *named = text ? find(seen, text, "pid[ \t]+([^ \t;]+)") : NULL;
    return named ? named : front->pid_file;
}

/* The key is the number of its first process; without that file, by the name of any process. */
static bool runs(struct examination *seen, const struct front *front)
{
    const char *text = files_read(seen->arena, find_pid_file(seen, front), NULL);
    const pid_t first = text ? (pid_t)strtol(text, NULL, 10) : 0;
    if (first == 0)
        return processes_run(seen->arena, front->unit);
    const char *name = processes_name(seen->arena, first);
    return name && strncmp(name, front->unit, strlen(front->unit)) == 0;
}

/* The server's errors about its configuration, without its remarks; NULL: it accepts it. */
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

/* A test of nginx leaves an empty file in the place of that with its process, for root alone. */
static const char *ask_and_clear_up(struct examination *seen, const struct front *front)
{
    struct stat file;
    const char *pid_file = find_pid_file(seen, front);
    const bool was_there = lstat(pid_file, &file) == 0;
    const char *said = test_configuration(seen, front);
    if (!was_there && lstat(pid_file, &file) == 0 && S_ISREG(file.st_mode) && file.st_size == 0)
        unlink(pid_file);
    return said;
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

/* A port of the site that another program uses; 0: none. */
static unsigned find_taken_port(struct examination *seen, const char *site)
{
    static const unsigned ports[] = {443, 80, 8080};
    for (size_t i = 0; i < sizeof ports / sizeof *ports; i++)
        if (find(seen, site, print(seen, "[^a-z0-9.-](%u)($|[^a-z0-9.-])", ports[i])) &&
            processes_is_port_open(seen->arena, ports[i]))
            return ports[i];
    return 0;
}

static bool report_stopped(struct examination *seen, const struct front *front, const char *site)
{
    const char *unit = front->unit, *restart = print(seen, "systemctl restart %s", unit);
    const unsigned taken = find_taken_port(seen, site);
    if (taken)
        return found_with(seen, FRONT_LACKS_PORT, print(seen, FRONT_LACKS_PORT_FIX, restart), unit,
                          taken);
    if (geteuid() != 0)
        return found_with(seen, FRONT_UNASKED,
                          print(seen, FRONT_UNASKED_FIX, examination_option(seen)), unit);
    return found_with(seen, FRONT_STOPPED, restart, unit);
}

/* -- What it may read -------------------------------------------------------------------------- */

bool fronts_may(struct examination *seen, const char *check, const char *fix, const char *what,
                const char *path, mode_t bits)
{
    struct stat status;
    struct user front;
    return !users_find(seen->arena, FRONT_USER, &front) || stat(path, &status) != 0 ||
           users_may(&front, &status, bits) ||
           trouble(seen, check, fix,
                   "the web server, which runs as " FRONT_USER ", may not %s %s (%s, mode %o)",
                   what, path, users_name(seen->arena, status.st_uid), status.st_mode & 07777);
}

/* The files of the pages and of the app, and the folders on the way to them. */
static bool may_read_files(struct examination *seen)
{
    static const char *const served[] = {QSOSYNC_SHARED_FILES "/pages/",
                                         QSOSYNC_SHARED_FILES "/app/"};
    const char *fix = "chmod -R a+rX " QSOSYNC_SHARED_FILES;
    bool may = true;
    for (size_t i = 0; i < sizeof served / sizeof *served && may; i++) {
        for (const char *end = strchr(served[i] + 1, '/'); end && may; end = strchr(end + 1, '/')) {
            const char *folder = print(seen, "%.*s", (int)(end - served[i]), served[i]);
            const bool is_ours = end - served[i] >= (ptrdiff_t)strlen(QSOSYNC_SHARED_FILES);
            may =
                fronts_may(seen, "web server", is_ours ? fix : print(seen, "chmod a+x %s", folder),
                           "enter", folder, X_OK);
        }
        for (const char **name = folder_list(served[i], seen->arena); *name && may; name++)
            may = fronts_may(seen, "web server", fix, "read", print(seen, "%s%s", served[i], *name),
                             R_OK);
    }
    return may;
}

/* -- All of it --------------------------------------------------------------------------------- */

static bool check_front(struct examination *seen, const struct front *front, const char *site)
{
    const char *unit = front->unit;
    if (unit[0] == 'a' && !has_modules(seen, site))
        return false;
    const char *said = geteuid() == 0 ? ask_and_clear_up(seen, front) : NULL;
    const char *mend = print(seen, "fix what it reports, then systemctl restart %s", unit);
    const bool is_running = runs(seen, front);
    if (is_running && said)
        found_with(seen, FRONT_OUTDATED, mend, unit, front->test, said);
    if (is_running)
        return may_read_files(seen);
    if (said)
        return found_with(seen, FRONT_REFUSES, mend, unit, front->test, said);
    return report_stopped(seen, front, site);
}

/* The server that runs, or else an installed one. NULL: another program may be the web server. */
static const struct front *find_front_without_site(struct examination *seen)
{
    static const unsigned ports[] = {80, 443, 8080};
    for (size_t i = 0; i < FRONTS; i++)
        if (runs(seen, &fronts[i]))
            return &fronts[i];
    for (size_t i = 0; i < sizeof ports / sizeof *ports; i++)
        if (processes_is_port_open(seen->arena, ports[i]))
            return NULL;
    for (size_t i = 0; i < FRONTS; i++)
        if (access(fronts[i].folders[0], F_OK) == 0)
            return &fronts[i];
    return NULL;
}

/* Where our units serve the logbook, a web server needs a site for their sockets. */
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

/* If two servers have a site, one may be left over: the one that runs counts. */
bool fronts_check(struct examination *seen)
{
    const struct folder_ids before = rights_regain();
    const struct front *present = NULL;
    const char *text = NULL, *closed = NULL;
    for (const struct front *front = fronts; front < fronts + FRONTS; front++) {
        struct site site = {0};
        find_site(seen, front, "(/qsosync)", &site);
        closed = site.closed ? site.closed : closed;
        if (site.text && (!present || runs(seen, front))) {
            present = front;
            text = site.text;
        }
    }
    const bool is_fine = present ? check_front(seen, present, text) : report_no_site(seen, closed);
    folder_act_as(before);
    return is_fine;
}
