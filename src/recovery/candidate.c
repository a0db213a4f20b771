/* Prepares a backup that is to become the logbook: a private copy beside it, with the schema
 * brought up to date, and checked. The backup itself is only read. What the copy takes over from
 * the former logbook is left to carry_over.c, and putting it there to restore.c. */
#include "recovery/candidate.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/log.h"
#include "database/database.h"
#include "database/copy.h"
#include "database/writer_lock.h"
#include "recovery/check.h"
#include "store/logbook.h"
#include "store/store.h"

#define NAME_MIDDLE "-restore-" /* between the logbook's path and the number of a process */
#define LOCK_SUFFIX WRITER_LOCK_SUFFIX
#define KEPT_SUFFIX "-kept"
#define LOCK_TRIES 100
#define NO_SYNC "PRAGMA synchronous = OFF"
#define INSTRUCTIONS_PER_PAGE 2750 /* of SQLite, to look at 14 QSOs, about as many as it is for */
#define LOCK_BYTE 1                /* the byte to lock in that file; 0 is the writer lock's */

/* -- Names ------------------------------------------------------------------------------------- */

typedef bool lock_taker(const struct shared_file *shared, off_t byte);

static bool lock_once(const char *path, lock_taker *take, struct shared_file *lock)
{
    if (!shared_file_open(lock, path, LOCK_SUFFIX))
        return false;
    if (take(lock, LOCK_BYTE) && shared_file_is_named(lock, path, LOCK_SUFFIX))
        return true;
    shared_file_close(lock);
    return false;
}

/* Another restore may take it for one that was left, and remove it before it is locked: it holds
 * the lock while it does so, and is waited for. */
const char *candidate_reserve(const char *logbook, struct arena *arena, struct shared_file *lock)
{
    const char *path = arena_print(arena, "%s" NAME_MIDDLE "%ld", logbook, (long)getpid());
    for (int i = 0; i < LOCK_TRIES; i++)
        if (lock_once(path, shared_file_wait_lock, lock))
            return path;
    log_line("%s" LOCK_SUFFIX ": cannot make the file: %s", path, strerror(errno));
    return NULL;
}

/* Only names that end exactly so; of a copy whose main file is missing, one of the files beside it.
 */
static bool is_copy(const char *path, const char *number)
{
    const char *end = number + strspn(number, "0123456789");
    char copy[PATH_MAX];
    snprintf(copy, sizeof copy, "%.*s", (int)(end - path), path);
    return end > number &&
           (*end == '\0' || (strcmp(end, LOCK_SUFFIX) == 0 && access(copy, F_OK) != 0));
}

/* With its lock: a process of that number may be about to make one. */
static void remove_unlocked(const char *path)
{
    struct shared_file lock;
    if (lock_once(path, shared_file_try_lock, &lock))
        candidate_remove(path);
    shared_file_close(&lock);
}

void candidate_remove_abandoned(const char *logbook, struct arena *arena)
{
    const char *slash = strrchr(logbook, '/');
    const char *prefix = arena_print(arena, "%s" NAME_MIDDLE, slash ? slash + 1 : logbook);
    const char *folder = folder_of(logbook, arena);
    DIR *directory = opendir(folder);
    struct dirent *entry;
    while (directory && (entry = readdir(directory))) {
        size_t length = strlen(prefix);
        if (strncmp(entry->d_name, prefix, length) != 0)
            continue;
        char *path = arena_print(arena, "%s%s", folder, entry->d_name);
        char *number = path + strlen(folder) + length;
        if (!is_copy(path, number))
            continue;
        number[strspn(number, "0123456789")] = '\0';
        if (!shared_file_is_locked(path, LOCK_SUFFIX, LOCK_BYTE))
            remove_unlocked(path);
    }
    if (directory)
        closedir(directory);
}

/* -- Content ----------------------------------------------------------------------------------- */

static enum store_result refuse(const char *backup, const char *why)
{
    log_line("%s %s; nothing was restored", backup, why);
    return STORE_BROKEN;
}

static enum store_result judge_code(const char *backup, int code)
{
    switch (database_primary_code(code)) {
    case SQLITE_NOTADB:
        return refuse(backup, "is not a QSOsync backup");
    case SQLITE_CORRUPT:
        return refuse(backup, "is damaged");
    default:
        log_line("%s: cannot read the backup: %s", backup, sqlite3_errstr(code));
        return STORE_BROKEN;
    }
}

/* Reads everything that is needed later. */
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

static bool has_changed(const char *backup, const struct read_only *file)
{
    struct folder_ids before;
    bool changed = !folder_act_as_owner(backup, &before) || read_only_has_changed(backup, file);
    folder_act_as(before);
    return changed;
}

static enum store_result copy_backup(const char *backup, const char *path)
{
    sqlite3 *from = NULL, *to = NULL;
    struct read_only file = {0};
    enum store_result result = open_backup(backup, &from, &file);
    if (result == STORE_DONE) {
        int code = literal_path_open(path,
                                     SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE |
                                         SQLITE_OPEN_EXCLUSIVE | SQLITE_OPEN_NOFOLLOW,
                                     &to);
        if (code == SQLITE_OK)
            code = sqlite3_exec(to, NO_SYNC, NULL, NULL, NULL);
        if (code == SQLITE_OK)
            code = copy_database(from, to);
        if (code != SQLITE_OK)
            result = judge_code(backup, code);
        else if (has_changed(backup, &file))
            result = refuse(backup, "was written to while it was read");
    }
    read_only_close(from, &file);
    sqlite3_close(to);
    return result;
}

struct first_problem {
    char text[160];
};

static void keep_first(void *context, const char *problem)
{
    struct first_problem *first = context;
    if (!*first->text)
        snprintf(first->text, sizeof first->text, "%s", problem);
}

static enum store_result check(struct store *candidate, const char *backup)
{
    struct first_problem first = {""};
    char why[200];
    int64_t problems;
    enum store_result result = store_check_candidate(candidate, keep_first, &first, &problems);
    if (result != STORE_DONE || problems == 0)
        return result;
    first.text[strcspn(first.text, "\n")] = '\0';
    snprintf(why, sizeof why, "is damaged (%s)", first.text);
    return refuse(backup, why);
}

/* The one value that the pragma answers with; NULL, with the result code, if it does not. */
static char *ask(sqlite3 *copy, const char *pragma, struct arena *arena, int *code)
{
    sqlite3_stmt *question = NULL;
    char *answer = NULL;
    *code = sqlite3_prepare_v2(copy, pragma, -1, &question, NULL);
    if (*code == SQLITE_OK)
        *code = sqlite3_step(question);
    if (*code == SQLITE_ROW) {
        answer = arena_print(arena, "%s", (const char *)sqlite3_column_text(question, 0));
        *code = SQLITE_OK;
    }
    sqlite3_finalize(question);
    return answer;
}

static int open_copy(const char *path, sqlite3 **out)
{
    int code = literal_path_open(path, SQLITE_OPEN_READWRITE, out);
    if (code != SQLITE_OK)
        return code;
    progress_watch(*out);
    return sqlite3_exec(*out,
                        CHECKPOINT_MAP_FILE
                        "; PRAGMA cell_size_check = ON; PRAGMA trusted_schema = OFF"
                        "; PRAGMA ignore_check_constraints = ON",
                        NULL, NULL, NULL);
}

/* Before the store opens it, which would report errors about the copy, in SQLite's words, and would
 * trust its cells. What is wrong with rows in whole pages is told later. */
static enum store_result check_pages(const char *path, const char *backup)
{
    sqlite3 *copy = NULL;
    struct arena arena = {0};
    int code = open_copy(path, &copy);
    progress_begin("checking pages");
    const char *pages = code == SQLITE_OK ? ask(copy, "PRAGMA page_count", &arena, &code) : NULL;
    if (pages)
        progress_expect(strtoll(pages, NULL, 10) * INSTRUCTIONS_PER_PAGE);
    const char *found =
        code == SQLITE_OK ? ask(copy, "PRAGMA quick_check(1)", &arena, &code) : NULL;
    bool are_whole = found && strcmp(found, "ok") == 0;
    sqlite3_close(copy);
    arena_free(&arena);
    return are_whole ? STORE_DONE : judge_code(backup, code == SQLITE_OK ? SQLITE_CORRUPT : code);
}

enum store_result candidate_open(const char *path, const char *backup, struct store **out)
{
    struct store *candidate = NULL;
    enum store_result result = copy_backup(backup, path);
    THEN(result, check_pages(path, backup));
    THEN(result, store_open(path, OPEN_EXISTING, &candidate));
    THEN(result, database_execute(candidate->database, NO_SYNC));
    if (result == STORE_NONE)
        result = refuse(backup, "is not a QSOsync backup");
    THEN(result, check(candidate, backup));
    if (result == STORE_DONE)
        *out = candidate;
    else
        store_close(candidate);
    return result;
}

const char *candidate_name_kept(const char *path, struct arena *arena)
{
    return arena_print(arena, "%s" KEPT_SUFFIX, path);
}

/* The copy itself late: what is beside it is found by it. */
void candidate_remove(const char *path)
{
    char beside[PATH_MAX];
    if (snprintf(beside, sizeof beside, "%s" KEPT_SUFFIX, path) < (int)sizeof beside)
        copy_remove(beside);
    copy_remove(path);
    if (snprintf(beside, sizeof beside, "%s" LOCK_SUFFIX, path) < (int)sizeof beside)
        unlink(beside);
}
