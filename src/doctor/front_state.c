/* Finds out whether a web server runs and, if not, why not. */
#include "doctor/front_state.h"

#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/folder.h"
#include "doctor/file_text.h"
#include "doctor/findings.h"
#include "doctor/processes.h"

#define SAID_BYTES_SHOWN 400

static const char *find_pid_file(struct examination *seen, const struct front *front)
{
    const char *text = file_text_read(seen->arena, front->configuration, NULL);
    const char *named = text ? sites_match(seen, text, "pid[ \t]+([^ \t;]+)") : NULL;
    return named ? named : front->pid_file;
}

/* Returns whether the process whose number is in the server's pid file has the server's name.
 * Without such a number, looks for any process with the server's name. */
bool front_state_runs(struct examination *seen, const struct front *front)
{
    const char *text = file_text_read(seen->arena, find_pid_file(seen, front), NULL);
    const pid_t first = text ? (pid_t)strtol(text, NULL, 10) : 0;
    if (first == 0)
        return processes_run(seen->arena, front->unit);
    const char *name = processes_name(seen->arena, first);
    return name && strncmp(name, front->unit, strlen(front->unit)) == 0;
}

/* Returns the errors that the server reports about its configuration, without remarks, or NULL if
 * there are no errors. */
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

/* Tests the configuration. If the pid file is missing, nginx -t creates an empty pid file, which
 * this function removes again. */
const char *front_state_test(struct examination *seen, const struct front *front)
{
    struct stat file;
    const char *pid_file = find_pid_file(seen, front);
    const bool was_there = lstat(pid_file, &file) == 0;
    const char *said = test_configuration(seen, front);
    if (!was_there && lstat(pid_file, &file) == 0 && S_ISREG(file.st_mode) && file.st_size == 0)
        unlink(pid_file);
    return said;
}

/* Checks the modules that the shipped site needs. Behind a proxy, the site does not need ssl. */
bool front_state_has_modules(struct examination *seen, const char *site)
{
    static const char *const modules[] = {"proxy",   "proxy_fcgi", "buffer",  "headers",
                                          "rewrite", "alias",      "deflate", "ssl"};
    const char *lacking = "";
    if (!sites_match(seen, site, "(/qsosync-workers.con|proxy:unix:)"))
        return true;
    for (size_t i = 0; i < sizeof modules / sizeof *modules; i++)
        if ((strcmp(modules[i], "ssl") != 0 || sites_match(seen, site, "(SSLEngine)")) &&
            access(print(seen, "/etc/apache2/mods-enabled/%s.load", modules[i]), F_OK) != 0)
            lacking = print(seen, "%s %s", lacking, modules[i]);
    return !*lacking || found_with(seen, FRONT_LACKS_MODULES,
                                   print(seen, FRONT_LACKS_MODULES_FIX, lacking), lacking);
}

/* Returns a port that the site needs, but another program uses, or 0 if there is no such port. */
static unsigned find_taken_port(struct examination *seen, const char *site)
{
    static const unsigned ports[] = {443, 80, 8080};
    for (size_t i = 0; i < sizeof ports / sizeof *ports; i++)
        if (sites_match(seen, site, print(seen, "[^a-z0-9.-](%u)($|[^a-z0-9.-])", ports[i])) &&
            processes_is_port_open(seen->arena, ports[i]))
            return ports[i];
    return 0;
}

bool front_state_report_stopped(struct examination *seen, const struct front *front,
                                const char *site)
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
