/* Examines a file that should be the logbook, without writing to it. */
#include "recovery/logbook_state.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/log.h"
#include "database/database.h"
#include "database/read_only.h"

enum logbook_state logbook_state_examine(const char *path)
{
    sqlite3 *database = NULL;
    struct read_only file;
    struct stat status;
    if (lstat(path, &status) != 0 && errno == ENOENT)
        return LOGBOOK_MISSING;
    if (stat(path, &status) == 0 && S_ISREG(status.st_mode) && status.st_size == 0)
        return LOGBOOK_UNREADABLE;
    int code = read_only_open(path, &database, &file);
    if (code == SQLITE_OK)
        code = sqlite3_exec(database, "SELECT count(*) FROM sqlite_schema", NULL, NULL, NULL);
    read_only_close(database, &file);
    if (code == SQLITE_OK)
        return LOGBOOK_READABLE;
    if (database_primary_code(code) == SQLITE_NOTADB ||
        database_primary_code(code) == SQLITE_CORRUPT)
        return LOGBOOK_UNREADABLE;
    log_line("%s: cannot examine the logbook: %s", path, sqlite3_errstr(code));
    return LOGBOOK_UNKNOWN;
}
