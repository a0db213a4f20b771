/* Reads the numbers that the status, the metrics and the doctor command show. Counting reads many
 * rows, so the operator's page is the only page with the whole status. The front page's few numbers
 * are read at most once per minute. */
#include "store/log/logbook_status.h"

#include <limits.h>
#include <sys/stat.h>

#include "base/folder.h"
#include "store/store.h"

static int64_t file_bytes(const char *path, const char *suffix)
{
    char name[PATH_MAX];
    struct stat status;
    bool found = folder_path_beside(path, suffix, name) && stat(name, &status) == 0;
    return found ? (int64_t)status.st_size : 0;
}

enum store_result store_probe(struct store *store)
{
    static const enum statement_name probes[] = {STATEMENT_PROBE_QSOS, STATEMENT_PROBE_LOG};
    enum store_result result = STORE_DONE;
    for (size_t i = 0; i < sizeof probes / sizeof *probes && result == STORE_DONE; i++) {
        struct statement *probe = database_statement(store->database, probes[i]);
        while (database_next(store->database, probe, &result))
            continue;
    }
    return result;
}

enum store_result store_read_counts(struct store *store, struct logbook_counts *out)
{
    static const struct read_column columns[] =
        COLUMNS(COLUMN(logbook_counts, members, "members"), COLUMN(logbook_counts, qsos, "qsos"));
    return store_find(store, columns, NULL, out, STATEMENT_READ_COUNTS);
}

enum store_result store_read_status(struct store *store, struct logbook_status *out)
{
    static const struct read_column columns[] = COLUMNS(
        COLUMN(logbook_status, schema_version, "user_version"),
        COLUMN(logbook_status, storage.history, "history"),
        COLUMN(logbook_status, storage.leftovers, "leftovers"),
        COLUMN(logbook_status, storage.polo, "polo"),
        COLUMN(logbook_status, storage.cards, "cards"),
        COLUMN(logbook_status, storage.known, "known"), COLUMN(logbook_status, members, "members"),
        COLUMN(logbook_status, active_members, "active_members"),
        COLUMN(logbook_status, stations, "stations"),
        COLUMN(logbook_status, operators, "operators"),
        COLUMN(logbook_status, members_outside, "members_outside"),
        COLUMN(logbook_status, sessions, "sessions"),
        COLUMN(logbook_status, active_keys, "active_keys"), COLUMN(logbook_status, qsos, "qsos"),
        COLUMN(logbook_status, spots, "spots"), COLUMN(logbook_status, tombstones, "tombstones"),
        COLUMN(logbook_status, former_states, "former_states"),
        COLUMN(logbook_status, passwords, "passwords"),
        COLUMN(logbook_status, active_tokens, "active_tokens"),
        COLUMN(logbook_status, uploads, "uploads"),
        COLUMN(logbook_status, last_write_ms, "last_stamp"),
        COLUMN(logbook_status, log_epoch, "log_epoch"));
    const char *path = store->database->path;
    *out = (struct logbook_status){.database_bytes = file_bytes(path, ""),
                                   .log_bytes = file_bytes(path, "-wal")};
    enum store_result result = store_find(store, columns, NULL, out, STATEMENT_READ_STATUS);
    return result == STORE_NONE ? STORE_BROKEN : result;
}

enum store_result store_find_last_stamp(struct store *store, int64_t *stamp_ms)
{
    return store_find_integer(store, "last_stamp", stamp_ms, STATEMENT_READ_LAST_STAMP);
}
