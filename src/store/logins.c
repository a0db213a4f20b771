/* The password file beside the logbook, which front servers read: lines of a login name and a hash.
 * It is replaced whole, so that no reader ever sees half of it. */
#include "store/logins.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/log.h"
#include "store/database.h"

#define FILE_SUFFIX "-logins"

/* The front server has a user of its own. Nobody can guess the passwords from their hashes. */
#define READABLE_FOR_ALL 0644

static bool is_line_of(const char *line, struct text login)
{
    return strncmp(line, login.bytes, login.length) == 0 && line[login.length] == ':';
}

/* Every line but the login's, and then its new one. */
static bool write_lines(FILE *to, const char *path, struct text login, const char *hash)
{
    char *line = NULL;
    size_t capacity = 0;
    ssize_t length;
    FILE *from = fopen(path, "re");
    if (!from && errno != ENOENT)
        return false;
    while (from && (length = getline(&line, &capacity, from)) > 0)
        if (!is_line_of(line, login))
            fprintf(to, "%s%s", line, line[length - 1] == '\n' ? "" : "\n");
    bool read = !from || feof(from);
    free(line);
    if (from)
        fclose(from);
    if (hash)
        fprintf(to, "%.*s:%s\n", (int)login.length, login.bytes, hash);
    return read && fflush(to) == 0 && !ferror(to);
}

static bool replace_file(const char *path, const char *new_path, struct text login,
                         const char *hash)
{
    int file = open(new_path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
    FILE *to = file >= 0 ? fdopen(file, "w") : NULL;
    if (!to)
        return false;
    bool written = write_lines(to, path, login, hash) && fchmod(file, READABLE_FOR_ALL) == 0 &&
                   fsync(file) == 0;
    int error = errno;
    written = fclose(to) == 0 && written && rename(new_path, path) == 0;
    if (!written) {
        error = error ? error : errno;
        unlink(new_path);
        errno = error;
    }
    return written;
}

static bool can_stand_in_file(struct text login)
{
    for (size_t i = 0; i < login.length; i++)
        if ((unsigned char)login.bytes[i] < 0x20 || login.bytes[i] == ':')
            return false;
    return login.length > 0;
}

static bool is_missing(struct store *store)
{
    char path[PATH_MAX];
    return folder_path_beside(store->path, FILE_SUFFIX, path) && access(path, F_OK) != 0 &&
           errno == ENOENT;
}

/* With the writer lock held, so that one process at a time does it; the database itself is not
 * written. A missing file is made. */
static enum store_result write_file(struct store *store, struct text login, const char *hash)
{
    char path[PATH_MAX], new_path[PATH_MAX];
    bool replaced = folder_path_beside(store->path, FILE_SUFFIX, path) &&
                    folder_path_beside(store->path, FILE_SUFFIX ".new", new_path) &&
                    replace_file(path, new_path, login, hash);
    if (!replaced)
        log_line("%s" FILE_SUFFIX ": cannot write the password file: %s", store->path,
                 strerror(errno));
    return replaced ? STORE_DONE : STORE_BROKEN;
}

enum store_result logins_remove(struct store *store, struct text login)
{
    return can_stand_in_file(login) && !is_missing(store) ? write_file(store, login, NULL)
                                                          : STORE_DONE;
}

enum store_result store_make_password_file(struct store *store)
{
    int64_t stamp_ms;
    if (!is_missing(store))
        return STORE_DONE;
    enum store_result result = store_begin_write(store, &stamp_ms);
    if (result != STORE_DONE)
        return result;
    if (is_missing(store))
        result = write_file(store, (struct text){0}, NULL);
    store_rollback(store);
    return result;
}

enum store_result store_set_password(struct store *store, struct text login, const char *hash)
{
    int64_t stamp_ms;
    if (!can_stand_in_file(login))
        return hash ? STORE_REFUSED : STORE_DONE;
    enum store_result result = store_begin_write(store, &stamp_ms);
    if (result != STORE_DONE)
        return result;
    if (hash || !is_missing(store))
        result = write_file(store, login, hash);
    store_rollback(store);
    return result;
}
