/* Opens files by paths that SQLite reads literally. SQLite recognises a URI or an in-memory
 * database by the first characters of the path. A path that begins with a slash or a dot is always
 * literal. The file need not exist. */
#include "database/literal_path.h"

#include <sys/stat.h>

#include "base/folder.h"

bool literal_path_is_blocked(const char *path, char what[PATH_MAX])
{
    static const char *const suffixes[] = {"", "-wal", "-shm", "-journal"};
    struct stat status;
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
        if (folder_path_beside(path, suffixes[i], what) && stat(what, &status) == 0 &&
            !S_ISREG(status.st_mode))
            return true;
    return false;
}

int literal_path_open(const char *path, int flags, sqlite3 **out)
{
    char blocked[PATH_MAX];
    *out = NULL;
    if (literal_path_is_blocked(path, blocked))
        return SQLITE_CANTOPEN;
    char *name = sqlite3_mprintf("%s%s", *path == '/' ? "" : "./", path);
    int code = name ? sqlite3_open_v2(name, out, flags, NULL) : SQLITE_NOMEM;
    sqlite3_free(name);
    return code;
}
