/* Finds sites for QSOsync in the configuration of the web servers. */
#include "doctor/sites.h"

#include <errno.h>
#include <regex.h>
#include <string.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/text_search.h"
#include "doctor/file_text.h"

const struct front sites_fronts[] = {
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

const char *sites_match(struct examination *seen, const char *text, const char *pattern)
{
    regmatch_t found[2];
    const char *behind = print(seen, "^[^#]*%s", pattern);
    return text_search(text, behind, REG_ICASE | REG_NEWLINE, 2, found)
               ? arena_copy(seen->arena, text + found[1].rm_so,
                            (size_t)(found[1].rm_eo - found[1].rm_so))
               : NULL;
}

void sites_find(struct examination *seen, const struct front *front, const char *pattern,
                struct site *out)
{
    const char *line = print(seen, "%s[ \t]+([^ \t;]+)", front->certificate_line);
    for (const char *const *folder = front->folders; *folder; folder++)
        for (const char **name = folder_list(*folder, seen->arena); *name; name++) {
            const char *path = print(seen, "%s%s", *folder, *name);
            const char *text = file_text_read(seen->arena, path, NULL);
            if (!text && access(path, R_OK) != 0 && errno == EACCES)
                out->closed = path;
            if (!text || !sites_match(seen, text, pattern))
                continue;
            const char *named = sites_match(seen, text, line);
            out->certificate = named ? named : out->certificate;
            out->text = text;
        }
}

bool sites_have_name(struct examination *seen, const char **certificate)
{
    struct site site = {0};
    const struct folder_ids before = examination_regain_rights();
    const char *name =
        print(seen, "(server_?name|ServerAlias)[ \t](.*[ \t])?%s($|[ \t;])", seen->host);
    for (size_t i = 0; i < SITES_FRONTS; i++)
        sites_find(seen, &sites_fronts[i], name, &site);
    folder_act_as(before);
    *certificate = site.certificate;
    return site.text;
}
