/* Puts a backup in the place of the logbook, with the service running or not.
 *
 * What must not go back in time is carried over from the former logbook: stamps, ids, the epoch by
 * which clients notice, and revoked keys, which stay revoked. The former logbook is kept. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "store/copy.h"
#include "store/database.h"

static const char *const numbered_tables[] = {"qsos", "spots", "members", "api_keys"};

/* A private copy of the backup, brought up to date and found to be whole. */
static enum store_result open_candidate(const char *from, const char *path, struct store **out)
{
    sqlite3 *backup = NULL, *copy = NULL;
    int code = sqlite3_open_v2(from, &backup, SQLITE_OPEN_READONLY, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_open_v2(path, &copy, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL);
    if (code == SQLITE_OK)
        code = copy_database(backup, copy);
    if (code != SQLITE_OK)
        log_line("%s: cannot read the backup: %s", from, sqlite3_errstr(code));
    sqlite3_close(backup);
    sqlite3_close(copy);
    return code == SQLITE_OK ? store_open(path, STORE_OPEN_EXISTING, out) : STORE_BROKEN;
}

static void log_problem(void *context, const char *problem)
{
    (void)context;
    log_line("the backup is damaged: %s", problem);
}

static enum store_result carry_sequence(struct store *former, struct store *candidate,
                                        const char *table)
{
    struct statement *read = database_statement(former, STATEMENT_READ_SEQUENCE);
    database_bind_text(read, ":name", text_of(table));
    enum store_result result = database_step(former, read);
    if (result != STORE_DONE)
        return result == STORE_NONE ? STORE_DONE : result;
    static const enum statement_name steps[] = {STATEMENT_INSERT_SEQUENCE,
                                                STATEMENT_RAISE_SEQUENCE};
    for (size_t i = 0; i < 2 && result == STORE_DONE; i++) {
        struct statement *raise = database_statement(candidate, steps[i]);
        database_bind_text(raise, ":name", text_of(table));
        database_bind_integer(raise, ":seq", database_read_integer(read, "seq"));
        result = database_run(candidate, raise);
    }
    sqlite3_reset(read->handle);
    return result;
}

static enum store_result carry_revocations(struct store *former, struct store *candidate)
{
    struct statement *list = database_statement(former, STATEMENT_LIST_REVOKED_KEYS);
    enum store_result result = STORE_DONE;
    while (database_next(former, list, &result)) {
        struct statement *revoke = database_statement(candidate, STATEMENT_REVOKE_FINGERPRINT);
        database_bind_blob(revoke, ":fingerprint", database_read_blob(list, "fingerprint"),
                           API_KEY_FINGERPRINT_BYTES);
        database_bind_integer(revoke, ":revoked_at", database_read_integer(list, "revoked_at"));
        result = database_run(candidate, revoke);
    }
    return result;
}

static enum store_result carry_over(struct store *former, struct store *candidate)
{
    struct statement *logbook = database_statement(former, STATEMENT_READ_LOGBOOK);
    enum store_result result = database_step(former, logbook);
    if (result != STORE_DONE)
        return result;
    struct statement *raise = database_statement(candidate, STATEMENT_RAISE_LOGBOOK);
    database_bind_integer(raise, ":last_stamp", database_read_integer(logbook, "last_stamp"));
    database_bind_integer(raise, ":log_epoch", database_read_integer(logbook, "log_epoch"));
    sqlite3_reset(logbook->handle);
    result = database_run(candidate, raise);
    for (size_t i = 0; i < sizeof numbered_tables / sizeof *numbered_tables; i++)
        if (result == STORE_DONE)
            result = carry_sequence(former, candidate, numbered_tables[i]);
    return result == STORE_DONE ? carry_revocations(former, candidate) : result;
}

/* Never the same as any epoch before, also where the former logbook is lost: seconds since 1970. */
static enum store_result raise_epoch(struct store *candidate)
{
    struct statement *raise = database_statement(candidate, STATEMENT_RAISE_LOGBOOK);
    database_bind_integer(raise, ":last_stamp", 0);
    database_bind_integer(raise, ":log_epoch", clock_wall_ms() / 1000 - 1);
    return database_run(candidate, raise);
}

/* Into the database in use, in one transaction: workers go on and see it at their next request. */
static enum store_result replace_content(struct store *former, struct store *candidate,
                                         const char *kept)
{
    enum store_result result = store_back_up(former, kept);
    if (result != STORE_DONE)
        return result;
    if (!writer_lock_enter(&former->writer_lock, former->write_wait_ms))
        return STORE_BUSY;
    result = carry_over(former, candidate);
    if (result == STORE_DONE) {
        int code = copy_database(candidate->database, former->database);
        if (code != SQLITE_OK)
            result = database_failure(former, code, "restore the backup");
    }
    writer_lock_leave(&former->writer_lock);
    return result;
}

/* Where there is no logbook that could be opened: the files change places. */
static enum store_result replace_files(const char *path, const char *candidate, const char *kept,
                                       bool *has_former)
{
    static const char *const suffixes[] = {"", "-wal", "-shm"};
    char from[4096], to[4096];
    *has_former = access(path, F_OK) == 0;
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        snprintf(from, sizeof from, "%s%s", path, suffixes[i]);
        snprintf(to, sizeof to, "%s%s", kept, suffixes[i]);
        if (rename(from, to) != 0 && errno != ENOENT) {
            log_line("%s: cannot move it aside: %s", from, strerror(errno));
            return STORE_BROKEN;
        }
    }
    if (rename(candidate, path) == 0)
        return STORE_DONE;
    log_line("%s: cannot put the backup in its place: %s", path, strerror(errno));
    return STORE_BROKEN;
}

static void remove_candidate(const char *path)
{
    static const char *const suffixes[] = {"", "-wal", "-shm", "-gate"};
    char name[4096];
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        snprintf(name, sizeof name, "%s%s", path, suffixes[i]);
        unlink(name);
    }
}

/* Exchanges them and closes both. */
static enum store_result exchange(const char *path, struct store *candidate,
                                  const char *candidate_path, const char *kept, bool *has_former)
{
    struct store *former = NULL;
    enum store_result result = store_open(path, STORE_OPEN_EXISTING, &former);
    *has_former = result == STORE_DONE;
    if (result == STORE_DONE) {
        result = replace_content(former, candidate, kept);
        store_close(candidate);
    } else {
        int code =
            sqlite3_exec(candidate->database, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
        store_close(candidate);
        result = code == SQLITE_OK ? replace_files(path, candidate_path, kept, has_former)
                                   : STORE_BROKEN;
    }
    store_close(former);
    return result;
}

enum store_result store_restore(const char *path, const char *from, struct arena *arena,
                                char **kept)
{
    struct store *candidate = NULL;
    int64_t problems = 0;
    bool has_former = false;
    char *candidate_path = arena_print(arena, "%s-restore-%ld", path, (long)getpid());
    char *kept_path =
        arena_print(arena, "%s.before-restore-%lld", path, (long long)(clock_wall_ms() / 1000));
    enum store_result result = open_candidate(from, candidate_path, &candidate);
    if (result == STORE_DONE)
        result = store_check(candidate, log_problem, NULL, &problems);
    if (result == STORE_DONE && problems > 0)
        result = STORE_BROKEN;
    if (result == STORE_DONE)
        result = raise_epoch(candidate);
    if (result == STORE_DONE)
        result = exchange(path, candidate, candidate_path, kept_path, &has_former);
    else
        store_close(candidate);
    remove_candidate(candidate_path);
    if (result == STORE_DONE)
        *kept = has_former ? kept_path : NULL;
    return result;
}
