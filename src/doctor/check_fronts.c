/* Looks at the web servers of this machine that have a site of QSOsync: whether they run, and what
 * they themselves say of why they do not; what Apache lacks; and sites that still ask for the
 * password file of former versions. How a site answers is looked at in check_service.c. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/clock.h"
#include "doctor/machine.h"
#include "installation.h"

#define START_MS 2500 /* between what nginx has read and the start of its processes */
#define SAID_BYTES 2048
#define SAID_BYTES_SHOWN 400

static const struct front {
    const char *name, *unit;
    const char *folders[3];
    const char *pid_file;
    const char *test; /* its own look at its configuration */
    const char *name_line, *certificate_line;
    const char *pages_line; /* of the pages, as they are shipped */
} fronts[] = {
    {"nginx",
     "nginx",
     {"/etc/nginx/sites-enabled", "/etc/nginx/conf.d", NULL},
     "/run/nginx.pid",
     "nginx -t",
     "server_name",
     "ssl_certificate",
     "include " QSOSYNC_SHARED_FILES "/nginx/qsosync-pages.conf;"},
    {"apache",
     "apache2",
     {"/etc/apache2/sites-enabled", NULL},
     "/run/apache2/apache2.pid",
     "apachectl configtest",
     "ServerName",
     "SSLCertificateFile",
     "IncludeOptional " QSOSYNC_SHARED_FILES "/apache/qsosync-pages.conf"},
};
#define NGINX_CONFIGURATION "/etc/nginx/nginx.conf" /* may name another pid_file */
#define FRONTS (sizeof fronts / sizeof *fronts)

/* -- Sites ------------------------------------------------------------------------------------- */

/* The first place with this text that is in no comment; NULL: there is none. */
static const char *find_in_lines(const char *text, const char *wanted)
{
    for (const char *found = strcasestr(text, wanted); found;
         found = strcasestr(found + 1, wanted)) {
        const char *begin = found;
        while (begin > text && begin[-1] != '\n')
            begin--;
        if (!memchr(begin, '#', (size_t)(found - begin)))
            return found;
    }
    return NULL;
}

/* The first value of a directive, in the arena; NULL: there is none. */
static const char *find_value(struct arena *arena, const char *text, const char *directive)
{
    for (const char *found = find_in_lines(text, directive); found;
         found = find_in_lines(found + 1, directive)) {
        const char *value = found + strlen(directive);
        size_t blanks = strspn(value, " \t");
        if (blanks > 0)
            return arena_copy(arena, value + blanks, strcspn(value + blanks, " \t;\n"));
    }
    return NULL;
}

/* As it is shipped, so that put-site takes it for its own. */
static bool is_shipped(const char *text)
{
    return find_in_lines(text, "/qsosync-api.con") || find_in_lines(text, "/qsosync-common.con");
}

/* Calls visit with the text of each site; true: one of them returned true. */
static bool walk_sites(struct doctor *doctor, const struct front *front,
                       bool (*visit)(struct doctor *doctor, const struct front *front,
                                     const char *path, const char *text, void *context),
                       void *context)
{
    bool found = false;
    for (const char *const *folder = front->folders; *folder; folder++) {
        struct dirent **entries;
        int count = scandir(*folder, &entries, NULL, alphasort);
        for (int i = 0; i < count; i++) {
            size_t length;
            const char *path = arena_print(doctor->arena, "%s/%s", *folder, entries[i]->d_name);
            const char *text = processes_read_file(doctor->arena, path, &length);
            found = (text && visit(doctor, front, path, text, context)) || found;
            free(entries[i]);
        }
        if (count >= 0)
            free(entries);
    }
    return found;
}

/* put-site makes a site of its own whole again; into another one the shipped part belongs. */
static bool look_for_passwords(struct doctor *doctor, const struct front *front, const char *path,
                               const char *text, void *context)
{
    const char *slash = strrchr(doctor->database, '/');
    const char *name = find_value(doctor->arena, text, front->name_line);
    (void)context;
    if (!find_in_lines(
            text, arena_print(doctor->arena, "/%s-logins", slash ? slash + 1 : doctor->database)))
        return false;
    findings_trouble(
        doctor, "sites",
        name && is_shipped(text)
            ? arena_print(doctor->arena, QSOSYNC_SHARED_FILES "/service/put-site %s %s",
                          front->name, shell_quote(doctor->arena, name))
            : arena_print(doctor->arena,
                          "in %s, replace the lines that ask for passwords by this one: %s",
                          shell_quote(doctor->arena, path), front->pages_line),
        "%s lets the web server ask for passwords, as it had to for former versions: nobody can "
        "sign in",
        path);
    return true;
}

struct sought_site {
    const char *name; /* NULL: any site of QSOsync */
    const char *text; /* of the last one that was found */
    const char *certificate;
};

static bool find_site(struct doctor *doctor, const struct front *front, const char *path,
                      const char *text, void *context)
{
    struct sought_site *sought = context;
    (void)path;
    if (sought->name ? !find_in_lines(text, front->name_line) || !find_in_lines(text, sought->name)
                     : !find_in_lines(text, "/qsosync"))
        return false;
    const char *certificate = find_value(doctor->arena, text, front->certificate_line);
    sought->text = text;
    sought->certificate = certificate ? certificate : sought->certificate;
    return true;
}

bool fronts_have_site(struct doctor *doctor, const char *name, const char **certificate)
{
    struct sought_site sought = {.name = name};
    bool found = false;
    for (size_t i = 0; i < FRONTS; i++)
        found = walk_sites(doctor, &fronts[i], find_site, &sought) || found;
    *certificate = sought.certificate;
    return found;
}

/* -- Why a web server does not run ------------------------------------------------------------- */

/* The number of its first process; 0: it does not run. */
static long find_process(struct doctor *doctor, const struct front *front)
{
    size_t length;
    const char *configuration =
        front->name[0] == 'n' ? processes_read_file(doctor->arena, NGINX_CONFIGURATION, &length)
                              : NULL;
    const char *named = configuration ? find_value(doctor->arena, configuration, "pid") : NULL;
    const char *text = processes_read_file(doctor->arena, named ? named : front->pid_file, &length);
    long pid = text ? strtol(text, NULL, 10) : 0;
    const char *name = processes_read_file(
        doctor->arena, arena_print(doctor->arena, "/proc/%ld/comm", pid), &length);
    return name && strncmp(name, front->unit, strlen(front->unit)) == 0 ? pid : 0;
}

/* What it says of its configuration, without its remarks; NULL: it accepts it. */
static const char *test_configuration(struct doctor *doctor, const struct front *front)
{
    char said[SAID_BYTES] = "", *save = NULL;
    const char *shown = "";
    FILE *output =
        popen(arena_print(doctor->arena,
                          "PATH=$PATH:/usr/sbin:/sbin timeout 20 %s 2>&1 < /dev/null", front->test),
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
            shown = arena_print(doctor->arena, "%s%s%s", shown, *shown ? " " : "", line);
    return arena_print(doctor->arena, "%.*s", SAID_BYTES_SHOWN, shown);
}

/* The shipped site of Apache says which modules it needs, and does without TLS behind a proxy. */
static bool has_modules(struct doctor *doctor, const char *site)
{
    static const char *const modules[] = {"proxy",   "proxy_fcgi", "buffer",  "headers",
                                          "rewrite", "alias",      "deflate", "ssl"};
    struct arena *arena = doctor->arena;
    const char *lacking = "";
    if (!find_in_lines(site, "/qsosync-workers.con") && !find_in_lines(site, "proxy:unix:"))
        return true;
    for (size_t i = 0; i < sizeof modules / sizeof *modules; i++)
        if ((strcmp(modules[i], "ssl") != 0 || find_in_lines(site, "SSLEngine")) &&
            access(arena_print(arena, "/etc/apache2/mods-enabled/%s.load", modules[i]), F_OK) != 0)
            lacking = arena_print(arena, "%s %s", lacking, modules[i]);
    return !*lacking ||
           findings_trouble(
               doctor, "web server",
               arena_print(arena, "a2enmod -q%s && systemctl restart apache2", lacking),
               "Apache lacks modules that the site of QSOsync needs:%s", lacking);
}

/* A port that the site names and another program has. */
static const char *find_taken_port(struct doctor *doctor, const struct front *front,
                                   const char *site)
{
    static const unsigned ports[] = {443, 80, 8080};
    for (size_t i = 0; i < sizeof ports / sizeof *ports; i++) {
        struct process process;
        if (find_in_lines(site, arena_print(doctor->arena, "%u", ports[i])) &&
            processes_find_listener(doctor->arena, ports[i], &process) &&
            (!process.pid || strncmp(process.name, front->unit, strlen(front->unit)) != 0))
            return arena_print(doctor->arena, "port %u is taken by %s", ports[i],
                               processes_name(doctor->arena, &process));
    }
    return NULL;
}

/* The file of nginx's configuration of QSOsync that was changed last. */
struct last_change {
    const char *path;
    int64_t at_ms;
};

static void note_change(struct last_change *last, const char *path)
{
    struct stat file;
    if (stat(path, &file) != 0)
        return;
    int64_t at_ms = (int64_t)file.st_ctim.tv_sec * 1000 + file.st_ctim.tv_nsec / 1000000;
    if (!last->path || at_ms > last->at_ms)
        *last = (struct last_change){path, at_ms};
}

static bool note_site(struct doctor *doctor, const struct front *front, const char *path,
                      const char *text, void *context)
{
    (void)doctor;
    (void)front;
    if (find_in_lines(text, QSOSYNC_SHARED_FILES "/nginx/qsosync-"))
        note_change(context, path);
    return false;
}

/* How long a child of this process has been taking requests; -1: it is none that does. One that
 * ends after a reload calls itself otherwise. */
static int64_t worker_age_ms(struct arena *arena, long child)
{
    size_t length;
    long long ticks; /* the 22nd word; see proc(5) */
    const char *text =
        processes_read_file(arena, arena_print(arena, "/proc/%ld/stat", child), &length);
    const char *rest = text ? strrchr(text, ')') : NULL;
    if (!rest || sscanf(rest,
                        ") %*c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s "
                        "%*s %lld",
                        &ticks) != 1)
        return -1;
    text = processes_read_file(arena, arena_print(arena, "/proc/%ld/cmdline", child), &length);
    if (!text || strcmp(text, "nginx: worker process") != 0)
        return -1;
    int64_t age_ms = clock_monotonic_ms() - ticks * 1000 / sysconf(_SC_CLK_TCK);
    return age_ms > 0 ? age_ms : 0;
}

/* nginx may refuse to reload, and says so in its error log alone. */
static void look_at_age(struct doctor *doctor, const struct front *front, long pid)
{
    static const char *const shipped[] = {"api", "http", "pages", "site-worker", "worker"};
    struct last_change last = {NULL, 0};
    int64_t now_ms = clock_wall_ms(), oldest_ms = -1;
    size_t length;
    char *end = processes_read_file(
        doctor->arena, arena_print(doctor->arena, "/proc/%ld/task/%ld/children", pid, pid),
        &length);
    for (long child = end ? strtol(end, &end, 10) : 0; child > 0; child = strtol(end, &end, 10)) {
        int64_t age_ms = worker_age_ms(doctor->arena, child);
        oldest_ms = age_ms > oldest_ms ? age_ms : oldest_ms;
    }
    walk_sites(doctor, front, note_site, &last);
    if (!last.path || oldest_ms < 0)
        return;
    for (size_t i = 0; i < sizeof shipped / sizeof *shipped; i++)
        note_change(&last, arena_print(doctor->arena, QSOSYNC_SHARED_FILES "/nginx/qsosync-%s.conf",
                                       shipped[i]));
    if (last.at_ms > now_ms - oldest_ms + START_MS && last.at_ms <= now_ms)
        findings_warn(doctor, "sites", QSOSYNC_SHARED_FILES "/service/put-site nginx --renew",
                      "nginx runs with an older configuration than its files: it has not read %s "
                      "yet",
                      last.path);
}

static bool check_front(struct doctor *doctor, const struct front *front, const char *site)
{
    struct arena *arena = doctor->arena;
    if (front->name[0] == 'a' && !has_modules(doctor, site))
        return false;
    const char *said = geteuid() == 0 ? test_configuration(doctor, front) : NULL;
    const char *mend =
        arena_print(arena, "mend what it says, then systemctl restart %s", front->unit);
    long pid = find_process(doctor, front);
    if (pid && said)
        findings_warn(doctor, "web server", mend,
                      "%s goes on with a former configuration and will not start again: %s says: "
                      "%s",
                      front->unit, front->test, said);
    else if (pid && front->name[0] == 'n')
        look_at_age(doctor, front, pid);
    if (pid)
        return true;
    if (said)
        return findings_trouble(doctor, "web server", mend, "%s does not run: %s says: %s",
                                front->unit, front->test, said);
    const char *taken = find_taken_port(doctor, front, site);
    if (taken)
        return findings_trouble(
            doctor, "web server",
            arena_print(arena,
                        "end that program, or let it listen elsewhere, then systemctl "
                        "restart %s",
                        front->unit),
            "%s does not run: %s", front->unit, taken);
    return findings_trouble(doctor, "web server",
                            arena_print(arena, "systemctl restart %s", front->unit),
                            "%s does not run", front->unit);
}

/* Of two with a site, one may be left over: the one that runs counts, or else that is to run. */
bool fronts_check(struct doctor *doctor)
{
    enum { NO_SITE, IS_THERE, IS_ENABLED, RUNS } best = NO_SITE, states[FRONTS] = {NO_SITE};
    struct sought_site sites[FRONTS] = {0};
    bool right = true;
    for (size_t i = 0; i < FRONTS; i++) {
        struct unit unit;
        units_read(doctor->arena, arena_print(doctor->arena, "%s.service", fronts[i].unit), &unit);
        right = !walk_sites(doctor, &fronts[i], look_for_passwords, NULL) && right;
        if (walk_sites(doctor, &fronts[i], find_site, &sites[i]))
            states[i] = find_process(doctor, &fronts[i]) ? RUNS
                        : unit.enabled                   ? IS_ENABLED
                                                         : IS_THERE;
        best = states[i] > best ? states[i] : best;
    }
    for (size_t i = 0; i < FRONTS && best != NO_SITE; i++)
        if (states[i] == best)
            right = check_front(doctor, &fronts[i], sites[i].text) && right;
    return right;
}
