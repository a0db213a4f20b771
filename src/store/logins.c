/* Passwords for the pages: kept in the logbook as hashes, and written to a file beside it, of which
 * front servers read a login's line. The file is replaced whole, so that no reader ever sees half
 * of it, and not touched where it says what it should. Hashes are made in src/base/password.c. */
#include "store/logins.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/folder.h"
#include "base/log.h"
#include "store/store.h"

#define FILE_SUFFIX "-logins"

/* The front server has a user of its own. Nobody can guess the passwords from their hashes. */
#define READABLE_FOR_ALL 0644

/* A password of which only that it is there is known, not since when. */
#define SET_AT_UNKNOWN 1

/* -- Writing ----------------------------------------------------------------------------------- */

static bool can_stand_in_file(struct text login)
{
    for (size_t i = 0; i < login.length; i++)
        if ((unsigned char)login.bytes[i] < 0x20 || login.bytes[i] == ':')
            return false;
    return login.length > 0;
}

static enum store_result collect_lines(struct store *store, struct buffer *lines)
{
    struct statement *list = database_statement(store->database, STATEMENT_LIST_PASSWORDS);
    enum store_result result = STORE_DONE;
    while (database_next(store->database, list, &result)) {
        struct text login = database_read_text(list, "login");
        struct text hash = database_read_text(list, "password_hash");
        if (can_stand_in_file(login))
            buffer_print(lines, "%.*s:%.*s\n", (int)login.length, login.bytes, (int)hash.length,
                         hash.bytes);
    }
    return result;
}

static bool says_so_already(const char *path, const struct buffer *lines)
{
    struct stat status;
    int file = folder_open_file(path, O_RDONLY);
    bool same = file >= 0 && fstat(file, &status) == 0 &&
                (status.st_mode & 07777) == READABLE_FOR_ALL &&
                status.st_size == (off_t)lines->length;
    if (same && lines->length > 0) {
        char *present = memory_allocate(lines->length);
        same = read(file, present, lines->length) == (ssize_t)lines->length &&
               memcmp(present, lines->bytes, lines->length) == 0;
        free(present);
    }
    if (file >= 0)
        close(file);
    return same;
}

static bool replace_file(const char *path, const char *new_path, const struct buffer *lines)
{
    unlink(new_path);
    int file = folder_open_file(new_path, O_WRONLY | O_CREAT | O_EXCL);
    if (file < 0)
        return false;
    errno = 0;
    bool written = write(file, lines->bytes, lines->length) == (ssize_t)lines->length &&
                   fchmod(file, READABLE_FOR_ALL) == 0 && fsync(file) == 0;
    int error = errno ? errno : ENOSPC;
    close(file);
    if (written && rename(new_path, path) == 0)
        return true;
    error = written ? errno : error;
    unlink(new_path);
    errno = error;
    return false;
}

enum store_result logins_write(struct store *store, const char *logbook,
                               enum logins_missing missing)
{
    char path[PATH_MAX], new_path[PATH_MAX];
    struct buffer lines = {0};
    bool found = folder_path_beside(logbook, FILE_SUFFIX, path) &&
                 folder_path_beside(logbook, FILE_SUFFIX ".new", new_path);
    if (found && missing == LOGINS_STAY_MISSING && access(path, F_OK) != 0 && errno == ENOENT)
        return STORE_DONE;
    enum store_result result = collect_lines(store, &lines);
    if (result == STORE_DONE &&
        !(found && (says_so_already(path, &lines) || replace_file(path, new_path, &lines)))) {
        log_line("%s" FILE_SUFFIX ": cannot write the password file: %s", logbook, strerror(errno));
        result = STORE_BROKEN;
    }
    buffer_free(&lines);
    return result;
}

/* -- Taking over ------------------------------------------------------------------------------- */

static enum store_result set_password(struct store *store, struct text login, struct text hash,
                                      int64_t set_at_ms, int64_t until_ms)
{
    struct statement *update = database_statement(store->database, STATEMENT_UPDATE_PASSWORD);
    database_bind_text(update, ":login", login);
    database_bind_text(update, ":password_hash", hash);
    database_bind_integer(update, ":password_set_at", set_at_ms);
    database_bind_integer(update, ":until", until_ms);
    return database_run(store->database, update);
}

/* A line that somebody else has written may hold anything. */
static enum store_result take_line(struct store *store, char *line, int64_t set_at_ms,
                                   int64_t until_ms)
{
    char *hash = strchr(line, ':');
    if (!hash)
        return STORE_DONE;
    *hash++ = '\0';
    hash[strcspn(hash, ":\r\n")] = '\0';
    if (!*hash || !text_is_utf8(line, strlen(line)) || !text_is_utf8(hash, strlen(hash)))
        return STORE_DONE;
    enum store_result result =
        set_password(store, text_of(line), text_of(hash), set_at_ms, until_ms);
    return result == STORE_REFUSED ? STORE_DONE : result;
}

/* A file of any other kind is not waited for. */
static FILE *open_lines(const char *path)
{
    struct stat status;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return NULL;
    FILE *lines = NULL;
    if (fstat(file, &status) == 0 && S_ISREG(status.st_mode))
        lines = fdopen(file, "r");
    else
        errno = EINVAL;
    if (!lines)
        close(file);
    return lines;
}

static enum store_result take_lines(struct store *store, const char *logbook, int64_t set_at_ms,
                                    int64_t until_ms)
{
    char path[PATH_MAX], *line = NULL;
    size_t capacity = 0;
    FILE *from = folder_path_beside(logbook, FILE_SUFFIX, path) ? open_lines(path) : NULL;
    if (!from && errno == ENOENT)
        return STORE_DONE;
    enum store_result result = from ? STORE_DONE : STORE_BROKEN;
    while (result == STORE_DONE && getline(&line, &capacity, from) > 0)
        result = take_line(store, line, set_at_ms, until_ms);
    bool read = from && !ferror(from);
    if (!read)
        log_line("%s" FILE_SUFFIX ": cannot read the password file: %s", logbook, strerror(errno));
    free(line);
    if (from)
        fclose(from);
    return read ? result : STORE_BROKEN;
}

static enum store_result has_any_to_take(struct store *store)
{
    struct statement *find = database_statement(store->database, STATEMENT_LIST_PASSWORDS_TO_TAKE);
    enum store_result result = database_step(store->database, find);
    sqlite3_reset(find->handle);
    return result;
}

enum store_result logins_take_over(struct store *store)
{
    enum store_result result = has_any_to_take(store);
    if (result != STORE_DONE)
        return result == STORE_NONE ? STORE_DONE : result;
    result = take_lines(store, store->database->path, SET_AT_UNKNOWN, 0);
    if (result == STORE_DONE)
        result = database_run(store->database,
                              database_statement(store->database, STATEMENT_CHECK_OFF_PASSWORDS));
    return result;
}

enum store_result logins_take_over_once(struct store *store)
{
    struct transaction transaction;
    enum store_result result = has_any_to_take(store);
    if (result != STORE_DONE)
        return result == STORE_NONE ? STORE_DONE : result;
    result = store_begin_write(store, &transaction);
    return result == STORE_DONE ? store_finish(&transaction, logins_take_over(store)) : result;
}

enum store_result logins_take_all(struct store *store, const char *logbook, int64_t stamp_ms)
{
    return take_lines(store, logbook, stamp_ms, INT64_MAX);
}

/* -- Transactions ------------------------------------------------------------------------------ */

static void write_again(struct store *store)
{
    struct transaction transaction;
    if (store_begin_write(store, &transaction) != STORE_DONE)
        return;
    logins_write(store, store->database->path, LOGINS_STAY_MISSING);
    store_rollback(&transaction);
}

/* The file first: whoever may not log in any more must not because the disk was full. */
enum store_result logins_finish(struct transaction *transaction, enum store_result result,
                                enum logins_missing missing)
{
    struct store *store = transaction->store;
    if (result == STORE_DONE)
        result = logins_take_over(store);
    if (result == STORE_DONE)
        result = logins_write(store, store->database->path, missing);
    bool written = result == STORE_DONE;
    result = store_finish(transaction, result);
    if (written && result != STORE_DONE)
        write_again(store);
    return result;
}

enum store_result store_make_password_file(struct store *store)
{
    struct transaction transaction;
    enum store_result result = logins_take_over_once(store);
    if (result == STORE_DONE)
        result = store_begin_write(store, &transaction);
    if (result != STORE_DONE)
        return result;
    result = logins_write(store, store->database->path, LOGINS_ARE_MADE);
    store_rollback(&transaction);
    return result;
}

enum store_result store_set_login_password(struct store *store, struct text login, const char *hash)
{
    struct transaction transaction;
    if (!can_stand_in_file(login))
        return STORE_REFUSED;
    enum store_result result = store_begin_write(store, &transaction);
    if (result != STORE_DONE)
        return result;
    result = set_password(store, login, text_of(hash), transaction.stamp_ms, INT64_MAX);
    return logins_finish(&transaction, result, LOGINS_ARE_MADE);
}
