/* Looks through the sites of nginx and Apache for the password file of former versions. Sites that
 * were made by copying a part of the shipped configuration keep asking for it after an upgrade;
 * what the shipped files themselves say is replaced with them. How a site answers is looked at in
 * check_sign_in.c. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "doctor/machine.h"
#include "installation.h"

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

static void look_at_site(struct examination *seen, const struct web_server *server,
                         const char *path)
{
    size_t length;
    struct arena *arena = seen->doctor->arena;
    const char *text = file_text_read(arena, path, &length);
    const char *slash = strrchr(seen->path, '/'), *file = slash ? slash + 1 : seen->path;
    if (text && find_in_lines(text, arena_print(arena, "/%s-logins", file)))
        findings_add(seen->findings, FINDING_PROBLEM, "sites", fix_site(seen, server, path, text),
                     "%s lets the web server ask for passwords, as it had to for former versions: "
                     "nobody can sign in",
                     path);
}

void check_sites(struct examination *seen)
{
    struct arena *arena = seen->doctor->arena;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        struct dirent **entries;
        int count = scandir(places[i].folder, &entries, NULL, alphasort);
        for (int k = 0; k < count; k++) {
            look_at_site(seen, &places[i],
                         arena_print(arena, "%s/%s", places[i].folder, entries[k]->d_name));
            free(entries[k]);
        }
        if (count >= 0)
            free(entries);
    }
}
