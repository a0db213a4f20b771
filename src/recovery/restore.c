/* Replaces the logbook with a backup, whether or not the service is running.
 *
 * A readable logbook gets the pages of the checked copy in one transaction, which begins and ends
 * like any other write. Every write acknowledged before it is in the copy that is kept; every write
 * acknowledged later is in the restored logbook. Files are exchanged only if the logbook is
 * missing, unreadable or too damaged to be written to. candidate.c checks the backup; carry_over.c
 * keeps data that must not go back in time. */
#include "recovery/restore.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/folder.h"
#include "base/log.h"
#include "database/copy.h"
#include "base/progress.h"
#include "database/database.h"
#include "database/read_only.h"
#include "database/transaction.h"
#include "recovery/backup.h"
#include "recovery/candidate.h"
#include "recovery/carry_over.h"
#include "store/log/logbook.h"
#include "store/store.h"
#include "store/transaction.h"

struct restore {
    const char *path; /* the logbook */
    struct candidate candidate;
    struct arena *arena;
    bool is_carried_over; /* the candidate has the data kept from the old logbook */
    bool takes_other;
    enum logbook_relation relation;
    struct restored *out;
};

/* The state of the logbook. With LOGBOOK_UNKNOWN nothing is restored. */
enum logbook_state { LOGBOOK_MISSING, LOGBOOK_UNREADABLE, LOGBOOK_READABLE, LOGBOOK_UNKNOWN };

static enum logbook_state examine(const char *path)
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

/* -- Origin of the backup ---------------------------------------------------------------------- */

void store_read_side(struct store *store, struct arena *arena, struct restored_side *out)
{
    static const struct read_column columns[] = COLUMNS(
        COLUMN(restored_side, members, "members"), COLUMN(restored_side, qsos, "qsos"),
        COLUMN(restored_side, uploads, "uploads"), COLUMN(restored_side, callsigns, "callsigns"));
    *out = (struct restored_side){0};
    out->is_known = store_find(store, columns, arena, out, STATEMENT_READ_SIDE) == STORE_DONE;
    if (out->is_known)
        store_read_club(store, arena, &out->club);
}

/* A logbook too damaged to be compared counts as the backup's own, because nothing else could
 * decide. */
static enum store_result compare_sides(struct store *former, struct restore *restore)
{
    restore->relation = RELATION_SAME;
    store_read_side(former, restore->arena, &restore->out->former);
    enum store_result result =
        carry_over_compare(former, restore->candidate.store, &restore->relation);
    if (result != STORE_DONE)
        return store_has_found_damage() ? STORE_DONE : result;
    return restore->relation == RELATION_NONE && !restore->takes_other ? STORE_REFUSED : STORE_DONE;
}

/* -- Readable logbooks ------------------------------------------------------------------------- */

/* Makes the page sizes equal, so that pages can be copied. A backup with another page size was made
 * by another SQLite. */
static enum store_result take_page_size(struct store *former, const struct restore *restore)
{
    struct database *database = restore->candidate.store->database;
    struct statement *here = database_statement(former->database, STATEMENT_READ_FORMAT);
    struct statement *there = database_statement(database, STATEMENT_READ_FORMAT);
    enum store_result result = database_step(former->database, here);
    THEN(result, database_step(database, there));
    if (result != STORE_DONE)
        return STORE_BROKEN;
    const int64_t size = database_read_integer(here, "page_size");
    const bool differs = size != database_read_integer(there, "page_size");
    const bool is_alike =
        text_equals(database_read_text(here, "encoding"), database_read_text(there, "encoding"));
    sqlite3_reset(here->handle);
    sqlite3_reset(there->handle);
    if (!is_alike)
        log_line("%s has another text encoding than the backup; nothing was restored",
                 former->database->path);
    if (!is_alike || !differs)
        return is_alike ? STORE_DONE : STORE_BROKEN;
    return database_execute(
        database, arena_print(restore->arena,
                              "PRAGMA temp_store = FILE; PRAGMA journal_mode = DELETE; "
                              "PRAGMA page_size = %lld; VACUUM; PRAGMA journal_mode = WAL",
                              (long long)size));
}

static enum store_result follow_endings(struct store *former, struct restore *restore)
{
    if (restore->relation != RELATION_SAME)
        return STORE_DONE;
    progress_begin("leaving out deleted members");
    return carry_over_endings(former, restore->candidate.store, &restore->out->deleted_members);
}

static enum store_result carry_over(struct store *former, struct restore *restore)
{
    struct transaction transaction;
    struct store *candidate = restore->candidate.store;
    enum store_result result = store_begin_write(candidate, &transaction);
    if (result != STORE_DONE)
        return result;
    result = store_finish(&transaction, carry_over_take(former, candidate, restore->relation));
    restore->is_carried_over = result == STORE_DONE;
    return result;
}

/* Runs while nobody else writes: kept data goes into the copy, and the copy into the logbook. */
static enum store_result prepare_content(struct store *former, struct restore *restore)
{
    enum store_result result = compare_sides(former, restore); /* members may have been added */
    THEN(result, copy_keep(restore->path, candidate_name_kept(&restore->candidate, restore->arena),
                           restore->arena, &restore->out->kept));
    THEN(result, follow_endings(former, restore)); /* a member may have been deleted meanwhile */
    return THEN(result, carry_over(former, restore));
}

static enum store_result replace_in_turn(struct store *former, struct restore *restore)
{
    struct transaction transaction;
    enum store_result result = store_begin_write(former, &transaction);
    if (result != STORE_DONE)
        return result;
    result = prepare_content(former, restore);
    if (result == STORE_DONE)
        return transaction_commit_copy(former->database,
                                       restore->candidate.store->database->handle);
    store_rollback(&transaction);
    return result;
}

static enum store_result replace_content(struct restore *restore)
{
    struct store *former = NULL;
    enum store_result result = store_open(restore->path, OPEN_EXISTING, &former);
    if (result == STORE_NONE)
        log_line("%s is not a QSOsync logbook", restore->path);
    THEN(result, compare_sides(former, restore));
    THEN(result, follow_endings(former, restore)); /* most of the work, while others write */
    THEN(result, take_page_size(former, restore));
    THEN(result, replace_in_turn(former, restore));
    if (result == STORE_DONE)
        store_checkpoint(former);
    if (result != STORE_DONE && restore->out->kept) {
        copy_remove(restore->out->kept);
        restore->out->kept = NULL;
    }
    store_close(former);
    return result;
}

/* -- Missing and unreadable logbooks ----------------------------------------------------------- */

/* Logs the failure, if any, and returns is_done. */
static bool told(bool is_done, const char *path, const char *what)
{
    if (!is_done)
        log_line("%s: cannot %s: %s", path, what, strerror(errno));
    return is_done;
}

static bool rename_file(const char *path, const char *to)
{
    return told(rename(path, to) == 0 || errno == ENOENT, path, "rename it");
}

/* Moves aside the files that exist; the log may exist without the logbook. The log goes first, and
 * everything is synced before another logbook takes the place. Otherwise SQLite would apply the old
 * log to the new logbook. */
static bool move_aside(struct restore *restore)
{
    static const char *const suffixes[] = {"-wal", "-shm", "-journal", ""};
    struct stat status;
    char *kept = copy_name_kept(restore->path, restore->arena);
    for (size_t i = 0; kept && i < sizeof suffixes / sizeof *suffixes; i++)
        if (!rename_file(arena_print(restore->arena, "%s%s", restore->path, suffixes[i]),
                         arena_print(restore->arena, "%s%s", kept, suffixes[i])))
            return false;
    if (kept && lstat(kept, &status) == 0)
        restore->out->kept = kept;
    return kept && told(folder_sync(restore->path), restore->path, "sync its folder");
}

/* Makes the candidate one file on the disk, with the mode of the old logbook. */
static bool finish_candidate(struct restore *restore)
{
    struct stat status;
    int code = sqlite3_exec(restore->candidate.store->database->handle,
                            "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
    store_close(restore->candidate.store);
    restore->candidate.store = NULL;
    if (code != SQLITE_OK)
        log_line("%s: cannot finish the copy of the backup: %s", restore->candidate.path,
                 sqlite3_errstr(code));
    else if (stat(restore->path, &status) == 0)
        chmod(restore->candidate.path, status.st_mode & 0777);
    return code == SQLITE_OK &&
           told(folder_sync_file(restore->candidate.path), restore->candidate.path, "sync it");
}

static enum store_result replace_files(struct restore *restore, enum logbook_state former)
{
    struct writer_lock lock;
    if (!writer_lock_open(&lock, restore->path)) {
        log_line("%s-gate: cannot open the writer lock: %s", restore->path, strerror(errno));
        return STORE_BROKEN;
    }
    enum store_result result = STORE_BROKEN;
    if (!writer_lock_enter(&lock, restore->candidate.store->database->write_wait_ms))
        log_line("%s-gate: cannot take the writer lock: %s", restore->path, strerror(errno));
    else if (examine(restore->path) != former)
        log_line("%s: another program created a logbook there; nothing was restored",
                 restore->path);
    else if (finish_candidate(restore) && move_aside(restore) &&
             rename_file(restore->candidate.path, restore->path) &&
             told(folder_sync(restore->path), restore->path, "sync its folder"))
        result = STORE_DONE;
    writer_lock_close(&lock);
    return result;
}

static enum store_result replace(struct restore *restore)
{
    enum logbook_state former = examine(restore->path);
    if (former == LOGBOOK_UNKNOWN)
        return STORE_BROKEN;
    if (former != LOGBOOK_READABLE)
        return replace_files(restore, former);
    enum store_result result = replace_content(restore);
    if (result != STORE_BROKEN || !store_has_found_damage())
        return result;
    /* The backup was intact when it was checked, so the damage is in the old logbook. Data that
     * could still be read from it is kept. */
    if (!restore->is_carried_over)
        log_line("%s is too damaged to carry anything over from it: repeat the revocations and "
                 "deletions "
                 "since the backup",
                 restore->path);
    return replace_files(restore, LOGBOOK_READABLE);
}

enum store_result store_restore(const char *path, const char *from, bool takes_other,
                                struct arena *arena, struct restored *out)
{
    struct restore restore = {.arena = arena, .takes_other = takes_other, .out = out};
    unsigned char identity[UUID_BYTES] = {0};
    *out = (struct restored){0};
    enum store_result result = candidate_begin(path, from, arena, &restore.candidate);
    struct store *candidate = restore.candidate.store;
    restore.path = restore.candidate.logbook;
    if (result == STORE_DONE) {
        store_read_identity(candidate, identity);
        store_read_side(candidate, arena, &out->backup);
        result = carry_over_nothing(candidate);
    }
    THEN(result, replace(&restore));
    if (result == STORE_DONE && restore.relation != RELATION_SAME)
        store_forget_other_backup(restore.path, identity, arena);
    candidate_end(&restore.candidate);
    return result == STORE_NONE ? STORE_BROKEN : result;
}
