/* Checks whether the web server may read the files that it needs. */
#include "doctor/front_rights.h"

#include <string.h>
#include <unistd.h>

#include "base/folder.h"
#include "doctor/findings.h"
#include "installation.h"

#define FRONT_USER "www-data"

bool front_rights_check(struct examination *seen, const char *check, const char *fix,
                        const char *what, const char *path, mode_t bits)
{
    struct stat status;
    struct user front;
    return !users_find(seen->arena, FRONT_USER, &front) || stat(path, &status) != 0 ||
           users_may(&front, &status, bits) ||
           trouble(seen, check, fix,
                   "the web server, which runs as " FRONT_USER
                   ", may not %s %s (owner %s, mode %o)",
                   what, path, users_name(seen->arena, status.st_uid), status.st_mode & 07777);
}

bool front_rights_check_files(struct examination *seen)
{
    static const char *const served[] = {QSOSYNC_SHARED_FILES "/pages/",
                                         QSOSYNC_SHARED_FILES "/app/"};
    const char *fix = "chmod -R a+rX " QSOSYNC_SHARED_FILES;
    bool may = true;
    for (size_t i = 0; i < sizeof served / sizeof *served && may; i++) {
        for (const char *end = strchr(served[i] + 1, '/'); end && may; end = strchr(end + 1, '/')) {
            const char *folder = print(seen, "%.*s", (int)(end - served[i]), served[i]);
            const bool is_ours = end - served[i] >= (ptrdiff_t)strlen(QSOSYNC_SHARED_FILES);
            may = front_rights_check(seen, "web server",
                                     is_ours ? fix : print(seen, "chmod a+x %s", folder), "enter",
                                     folder, X_OK);
        }
        for (const char **name = folder_list(served[i], seen->arena); *name && may; name++)
            may = front_rights_check(seen, "web server", fix, "read",
                                     print(seen, "%s%s", served[i], *name), R_OK);
    }
    return may;
}
