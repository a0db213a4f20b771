/* SQLite recognises a URI and a database in memory by the first characters of a path; no path that
 * begins with a slash or a dot has them. */
#include "store/literal_path.h"

#include <stddef.h>

const char *literal_path_prefix(const char *path)
{
    return *path == '/' ? "" : "./";
}

int literal_path_open(const char *path, int flags, sqlite3 **out)
{
    char *name = sqlite3_mprintf("%s%s", literal_path_prefix(path), path);
    *out = NULL;
    int code = name ? sqlite3_open_v2(name, out, flags, NULL) : SQLITE_NOMEM;
    sqlite3_free(name);
    return code;
}
