/* Prepares a backup to become the logbook: copies the backup to a private file next to the logbook,
 * updates the copy's schema, and checks the copy. The backup itself is only read. carry_over.c
 * copies data from the old logbook, and restore.c puts the candidate in place. */
#include "recovery/candidate.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/format.h"
#include "base/log.h"
#include "base/progress.h"
#include "database/checkpoint.h"
#include "database/copy.h"
#include "database/database.h"
#include "database/literal_path.h"
#include "database/read_only.h"
#include "database/watch.h"
#include "recovery/candidate_files.h"
#include "recovery/check.h"
#include "store/log/logbook.h"
#include "store/store.h"

#define NO_SYNC "PRAGMA synchronous = OFF"
#define INSTRUCTIONS_PER_PAGE                                                                      \
    2750 /* number of SQLite's instructions for checking a page, which contains about 14 QSOs */

static enum store_result reject(const char *backup, const char *why)
{
    log_line("%s %s; nothing was restored", backup, why);
    return STORE_BROKEN;
}

static enum store_result judge_code(const char *backup, int code)
{
    switch (database_primary_code(code)) {
    case SQLITE_NOTADB:
        return reject(backup, "is not a QSOsync backup");
    case SQLITE_CORRUPT:
        return reject(backup, "is damaged");
    default:
        log_line("%s: cannot read the backup: %s", backup, sqlite3_errstr(code));
        return STORE_BROKEN;
    }
}

/* Opens the backup as the owner of its folder. Then reads enough of the backup for SQLite to need
 * no further permissions. */
static enum store_result open_backup(const char *backup, sqlite3 **out, struct read_only *file)
{
    struct folder_ids before;
    if (!folder_act_as_owner(backup, &before) || eaccess(backup, R_OK) != 0) {
        log_line("%s: cannot read the backup: %s", backup, strerror(errno));
        folder_act_as(before);
        return STORE_BROKEN;
    }
    int code = read_only_open(backup, out, file);
    if (code == SQLITE_OK)
        code = sqlite3_exec(*out, "PRAGMA schema_version", NULL, NULL, NULL);
    folder_act_as(before);
    return code == SQLITE_OK ? STORE_DONE : judge_code(backup, code);
}

static int expect_pages(void *context, int count, char **values, char **names)
{
    (void)context, (void)count, (void)names;
    watch_expect(strtoll(*values, NULL, 10) * INSTRUCTIONS_PER_PAGE);
    return 0;
}

static int judge_pages(void *are_whole, int count, char **values, char **names)
{
    (void)count, (void)names;
    *(bool *)are_whole = strcmp(*values, "ok") == 0;
    return 0;
}

/* Checks the pages before the store opens the copy. The store would report errors in SQLite's
 * words, and would trust the cells in the pages. Wrong rows in intact pages are found later. */
static enum store_result check_pages(sqlite3 *copy, const char *backup)
{
    bool are_whole = false;
    watch_statements(copy);
    progress_begin("checking pages");
    int code = sqlite3_exec(copy, "PRAGMA page_count", expect_pages, NULL, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_exec(copy, "PRAGMA quick_check(1)", judge_pages, &are_whole, NULL);
    return are_whole ? STORE_DONE : judge_code(backup, code == SQLITE_OK ? SQLITE_CORRUPT : code);
}

static enum store_result check_unchanged(const char *backup, const struct read_only *file)
{
    struct folder_ids before;
    const bool has_changed =
        !folder_act_as_owner(backup, &before) || read_only_has_changed(backup, file);
    folder_act_as(before);
    return has_changed ? reject(backup, "was written to while it was read") : STORE_DONE;
}

static int open_copy(const char *path, sqlite3 **out)
{
    int code = literal_path_open(path,
                                 SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE |
                                     SQLITE_OPEN_EXCLUSIVE | SQLITE_OPEN_NOFOLLOW,
                                 out);
    return code == SQLITE_OK
               ? sqlite3_exec(*out,
                              NO_SYNC "; " CHECKPOINT_MAP_FILE "; PRAGMA cell_size_check = ON"
                                      "; PRAGMA trusted_schema = OFF"
                                      "; PRAGMA ignore_check_constraints = ON",
                              NULL, NULL, NULL)
               : code;
}

static enum store_result copy_backup(const char *backup, const char *path)
{
    sqlite3 *from = NULL, *to = NULL;
    struct read_only file = {0};
    int code = SQLITE_OK;
    enum store_result result = open_backup(backup, &from, &file);
    if (result == STORE_DONE)
        code = open_copy(path, &to);
    if (result == STORE_DONE && code == SQLITE_OK)
        code = copy_database(from, to);
    if (code != SQLITE_OK)
        result = judge_code(backup, code);
    THEN(result, check_unchanged(backup, &file));
    THEN(result, check_pages(to, backup));
    read_only_close(from, &file);
    sqlite3_close(to);
    return result;
}

static enum store_result check(struct store *candidate, const char *backup)
{
    char why[200];
    struct check_result problems;
    enum store_result result = store_check(candidate, NULL, NULL, &problems);
    if (result != STORE_DONE || problems.count == 0)
        return result;
    problems.first[strcspn(problems.first, "\n")] = '\0';
    format_cut(why, sizeof why, "is damaged (%.159s)", problems.first);
    return reject(backup, why);
}

static enum store_result open_candidate(struct candidate *candidate, const char *backup)
{
    enum store_result result = copy_backup(backup, candidate->path);
    THEN(result, store_open(candidate->path, OPEN_EXISTING, &candidate->store));
    THEN(result, database_execute(candidate->store->database, NO_SYNC));
    if (result == STORE_NONE)
        result = reject(backup, "is not a QSOsync backup");
    return THEN(result, check(candidate->store, backup));
}

enum store_result candidate_begin(const char *logbook, const char *backup, struct arena *arena,
                                  struct candidate *out)
{
    *out = (struct candidate){.logbook = realpath(logbook, NULL), .lock = SHARED_FILE_CLOSED};
    if (!out->logbook)
        out->logbook = strdup(logbook);
    candidate_files_remove_abandoned(out->logbook, arena);
    out->path = candidate_files_reserve(out->logbook, arena, &out->lock);
    return out->path ? open_candidate(out, backup) : STORE_BROKEN;
}

void candidate_end(struct candidate *candidate)
{
    store_close(candidate->store);
    if (candidate->path)
        candidate_files_remove(candidate->path);
    shared_file_close(&candidate->lock);
    free(candidate->logbook);
}
