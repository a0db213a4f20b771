/* Looks through the sites of nginx and Apache for the password file of former versions, and whether
 * nginx runs with the files that are there. Sites that were made by copying a part of the shipped
 * configuration keep asking for passwords after an upgrade; what the shipped files themselves say
 * is replaced with them. How a site answers is looked at in check_sign_in.c. */
#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "doctor/machine.h"
#include "installation.h"

#define START_MS 2500 /* between what nginx has read and the start of its processes */

static const struct web_server {
    const char *name, *folder;
    const char *name_line, *pages_line; /* of a site: its name, and the pages as they are shipped */
} places[] = {
    {"nginx", "/etc/nginx/sites-enabled", "server_name ",
     "include " QSOSYNC_SHARED_FILES "/nginx/qsosync-pages.conf;"},
    {"nginx", "/etc/nginx/conf.d", "server_name ",
     "include " QSOSYNC_SHARED_FILES "/nginx/qsosync-pages.conf;"},
    {"apache", "/etc/apache2/sites-enabled", "ServerName ",
     "IncludeOptional " QSOSYNC_SHARED_FILES "/apache/qsosync-pages.conf"},
};

/* The first line with this text that is no comment; NULL: there is none. */
static const char *find_in_lines(const char *text, const char *wanted)
{
    for (const char *found = strstr(text, wanted); found; found = strstr(found + 1, wanted)) {
        const char *begin = found;
        while (begin > text && begin[-1] != '\n')
            begin--;
        if (!memchr(begin, '#', (size_t)(found - begin)))
            return found;
    }
    return NULL;
}

/* put-site makes a site of its own whole again; into another one the shipped part belongs. */
static const char *fix_site(const struct examination *seen, const struct web_server *server,
                            const char *path, const char *text)
{
    struct arena *arena = seen->doctor->arena;
    const char *found = find_in_lines(text, server->name_line);
    bool is_ours =
        find_in_lines(text, "/qsosync-api.con") || find_in_lines(text, "/qsosync-common.con");
    if (!found || !is_ours)
        return arena_print(arena,
                           "in %s, put this line in the place of what asks for passwords: %s",
                           shell_quote(arena, path), server->pages_line);
    found += strlen(server->name_line);
    found += strspn(found, " \t");
    const char *name = arena_print(arena, "%.*s", (int)strcspn(found, " \t;\n"), found);
    return arena_print(arena, QSOSYNC_SHARED_FILES "/service/put-site %s %s", server->name,
                       shell_quote(arena, name));
}

/* The file of nginx's configuration that was changed last; NULL: no site there is of QSOsync. */
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

static void look_at_site(struct examination *seen, const struct web_server *server,
                         const char *path, struct last_change *last)
{
    size_t length;
    struct arena *arena = seen->doctor->arena;
    const char *text = file_text_read(arena, path, &length);
    const char *slash = strrchr(seen->path, '/'), *file = slash ? slash + 1 : seen->path;
    if (text && strcmp(server->name, "nginx") == 0 &&
        find_in_lines(text, QSOSYNC_SHARED_FILES "/nginx/qsosync-"))
        note_change(last, path);
    if (text && find_in_lines(text, arena_print(arena, "/%s-logins", file)))
        findings_add(seen->findings, FINDING_PROBLEM, "sites", fix_site(seen, server, path, text),
                     "%s lets the web server ask for passwords, as it had to for former versions: "
                     "nobody can sign in",
                     path);
}

/* How long a process of nginx has been taking requests; -1: it is none that does. One that ends
 * after a reload calls itself otherwise. */
static int64_t worker_age_ms(struct arena *arena, const char *process, long parent)
{
    size_t length;
    long its_parent;
    long long ticks; /* the 22nd word; see proc(5) */
    const char *text = file_text_read(arena, arena_print(arena, "/proc/%s/stat", process), &length);
    const char *rest = text ? strrchr(text, ')') : NULL;
    if (!rest ||
        sscanf(rest,
               ") %*c %ld %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %lld",
               &its_parent, &ticks) != 2 ||
        its_parent != parent)
        return -1;
    text = file_text_read(arena, arena_print(arena, "/proc/%s/cmdline", process), &length);
    if (!text || strcmp(text, "nginx: worker process") != 0)
        return -1;
    int64_t age_ms = clock_monotonic_ms() - ticks * 1000 / sysconf(_SC_CLK_TCK);
    return age_ms > 0 ? age_ms : 0;
}

static int64_t oldest_worker_ms(struct arena *arena)
{
    size_t length;
    int64_t oldest_ms = -1;
    const char *text = file_text_read(arena, "/run/nginx.pid", &length);
    long parent = text ? strtol(text, NULL, 10) : 0;
    DIR *directory = parent > 0 ? opendir("/proc") : NULL;
    struct dirent *entry;
    while (directory && (entry = readdir(directory))) {
        struct arena scratch = {0};
        int64_t age_ms = isdigit((unsigned char)entry->d_name[0])
                             ? worker_age_ms(&scratch, entry->d_name, parent)
                             : -1;
        oldest_ms = age_ms > oldest_ms ? age_ms : oldest_ms;
        arena_free(&scratch);
    }
    if (directory)
        closedir(directory);
    return oldest_ms;
}

/* nginx may refuse to reload, and says so in its error log alone. */
static void look_at_age(struct examination *seen, struct last_change last)
{
    static const char *const shipped[] = {"api", "http", "pages", "site-worker", "worker"};
    int64_t now_ms = clock_wall_ms(), age_ms = oldest_worker_ms(seen->doctor->arena);
    if (!last.path || age_ms < 0)
        return;
    for (size_t i = 0; i < sizeof shipped / sizeof *shipped; i++)
        note_change(&last, arena_print(seen->doctor->arena,
                                       QSOSYNC_SHARED_FILES "/nginx/qsosync-%s.conf", shipped[i]));
    if (last.at_ms > now_ms - age_ms + START_MS && last.at_ms <= now_ms)
        findings_add(
            seen->findings, FINDING_WARNING, "sites",
            QSOSYNC_SHARED_FILES "/service/put-site nginx --renew",
            "nginx runs with an older configuration than its files: it has not read %s yet",
            last.path);
}

void check_sites(struct examination *seen)
{
    struct arena *arena = seen->doctor->arena;
    struct last_change last = {NULL, 0};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        struct dirent **entries;
        int count = scandir(places[i].folder, &entries, NULL, alphasort);
        for (int k = 0; k < count; k++) {
            look_at_site(seen, &places[i],
                         arena_print(arena, "%s/%s", places[i].folder, entries[k]->d_name), &last);
            free(entries[k]);
        }
        if (count >= 0)
            free(entries);
    }
    look_at_age(seen, last);
}
