/* Reads the numbers about the logbook as a whole that status, metrics and the doctor show: sizes,
 * counts, the time of the last write. Rows are counted for that, so no request asks for them; the
 * few of the front page it asks for once a minute.
 * Numbers of one log are in log.c. */
#include <sys/stat.h>

#include "base/folder.h"
#include "store/logbook.h"
#include "store/store.h"

static int64_t file_bytes(const char *path, const char *suffix)
{
    char name[PATH_MAX];
    struct stat status;
    bool found = folder_path_beside(path, suffix, name) && stat(name, &status) == 0;
    return found ? (int64_t)status.st_size : 0;
}

enum store_result store_read_counts(struct store *store, struct logbook_counts *out)
{
    struct statement *read = database_statement(store->database, STATEMENT_READ_COUNTS);
    enum store_result result = database_step(store->database, read);
    if (result != STORE_DONE)
        return result == STORE_NONE ? STORE_BROKEN : result;
    out->members = database_read_integer(read, "members");
    out->qsos = database_read_integer(read, "qsos");
    sqlite3_reset(read->handle);
    return STORE_DONE;
}

enum store_result store_read_status(struct store *store, struct logbook_status *out)
{
    struct statement *version = database_statement(store->database, STATEMENT_READ_SCHEMA_VERSION);
    enum store_result result = database_step(store->database, version);
    if (result != STORE_DONE)
        return result;
    int64_t schema_version = database_read_integer(version, "user_version");
    sqlite3_reset(version->handle);
    struct statement *read = database_statement(store->database, STATEMENT_READ_STATUS);
    result = database_step(store->database, read);
    if (result != STORE_DONE)
        return result == STORE_NONE ? STORE_BROKEN : result;
    *out = (struct logbook_status){
        .schema_version = schema_version,
        .database_bytes = file_bytes(store->database->path, ""),
        .log_bytes = file_bytes(store->database->path, "-wal"),
        .members = database_read_integer(read, "members"),
        .active_members = database_read_integer(read, "active_members"),
        .operators = database_read_integer(read, "operators"),
        .members_outside = database_read_integer(read, "members_outside"),
        .sessions = database_read_integer(read, "sessions"),
        .active_keys = database_read_integer(read, "active_keys"),
        .qsos = database_read_integer(read, "qsos"),
        .spots = database_read_integer(read, "spots"),
        .tombstones = database_read_integer(read, "tombstones"),
        .former_states = database_read_integer(read, "former_states"),
        .passwords = database_read_integer(read, "passwords"),
        .active_tokens = database_read_integer(read, "active_tokens"),
        .uploads = database_read_integer(read, "uploads") != 0,
        .last_write_ms = database_read_integer(read, "last_stamp"),
        .log_epoch = database_read_integer(read, "log_epoch"),
    };
    sqlite3_reset(read->handle);
    return STORE_DONE;
}
