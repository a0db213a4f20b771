/* Makes a path that SQLite reads as a path and nothing else: it recognises a URI or a database in
 * memory by the first characters, and never takes a slash or a dot for one. The file need not
 * exist. */
#include "database/literal_path.h"

#include <stdio.h>
#include <string.h>

#include "base/folder.h"

const char *literal_path_prefix(const char *path)
{
    return *path == '/' ? "" : "./";
}

bool literal_path_is_blocked(const char *path, char what[PATH_MAX])
{
    static const char *const suffixes[] = {"", "-wal", "-shm", "-journal"};
    if (!folder_path_beside(path, "", what))
        return false;
    char *end = what + strlen(what);
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        snprintf(end, (size_t)(what + PATH_MAX - end), "%s", suffixes[i]);
        if (folder_has_no_file(what))
            return true;
    }
    return false;
}

int literal_path_open(const char *path, int flags, sqlite3 **out)
{
    char blocked[PATH_MAX];
    *out = NULL;
    if (literal_path_is_blocked(path, blocked))
        return SQLITE_CANTOPEN;
    char *name = sqlite3_mprintf("%s%s", literal_path_prefix(path), path);
    int code = name ? sqlite3_open_v2(name, out, flags, NULL) : SQLITE_NOMEM;
    sqlite3_free(name);
    return code;
}
