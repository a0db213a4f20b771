/* Copies the whole logbook to a file while the service continues. Also lists and removes the files
 * that restores and put-site have kept, which expire like backups. The command chooses names,
 * numbers and ages of backups; restore.c restores them. */
#include "recovery/backup.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/datetime.h"
#include "base/folder.h"
#include "base/log.h"
#include "base/text_hex.h"
#include "base/text_utf8.h"
#include "base/text_visible.h"
#include "database/copy.h"
#include "store/store.h"

#define SITE_PREFIX "/var/backups/qsosync-site-" /* used by src/service/put-site */

enum store_result store_back_up(struct store *store, const char *path)
{
    return copy_to_file(store->database->handle, path);
}

/* The time in ms, from the seconds at the end of a kept logbook's name, which may be numbered. 0:
 * one of SQLite's files next to it, or another file. */
static int64_t moment_of(const char *rest)
{
    char *end;
    long long seconds = strtoll(rest, &end, 10);
    if (*end == '-' && end[1] >= '0' && end[1] <= '9')
        strtoll(end + 1, &end, 10);
    return *end ? 0 : seconds * 1000;
}

/* Adds the files whose path begins with the prefix, in order, before the files already in the list.
 */
static void list(const char *prefix, bool is_site, struct arena *arena, struct kept_file **kept)
{
    struct stat file;
    const char *folder = folder_of(prefix, arena), *start = prefix + strlen(folder);
    for (const char **name = folder_list(folder, arena); *name; name++) {
        const char *path = arena_print(arena, "%s%s", folder, *name);
        if (strncmp(*name, start, strlen(start)) != 0 || lstat(path, &file) != 0)
            continue;
        struct kept_file *added = arena_allocate(arena, sizeof *added);
        *added = (struct kept_file){*kept, path, moment_of(*name + strlen(start)), is_site};
        if (is_site)
            added->made_at_ms = (int64_t)file.st_ctime * 1000;
        if (added->made_at_ms > 0) {
            *kept = added;
            kept = &added->next;
        }
    }
}

struct kept_file *backup_list_kept(const char *logbook, struct arena *arena)
{
    struct kept_file *kept = NULL;
    char *real = realpath(logbook, NULL);
    list(SITE_PREFIX, true, arena, &kept);
    list(arena_print(arena, "%s" COPY_KEPT_SUFFIX, real ? real : logbook), false, arena, &kept);
    free(real);
    return kept;
}

void backup_remove_kept(const char *logbook, int64_t before_ms, struct arena *arena)
{
    struct folder_ids before;
    for (const struct kept_file *kept = backup_list_kept(logbook, arena); kept; kept = kept->next)
        if (!kept->is_site && kept->made_at_ms < before_ms &&
            folder_act_as_owner(kept->path, &before)) {
            copy_remove(kept->path);
            folder_act_as(before);
        }
}

/* Records when the last backup was made, where it is, and which logbook it is from. The record is a
 * few lines in a file next to the logbook, always replaced as a whole. Older releases wrote only
 * the first line. The file is not part of a backup, and losing it is harmless: only the doctor and
 * status read it. */

#define FILE_SUFFIX "-last-backup"
#define NOTE_BYTES_MAX /* time, blank, path, LF, identity, blank, keep, LF, NUL */                 \
    (DATETIME_TEXT_LENGTH + PATH_MAX + 2 * UUID_BYTES + 25)

/* The note belongs to the logbook's owner, even if root runs the backup. */
static bool write_note(const struct store *store, const char *name, const struct buffer *note)
{
    struct stat logbook;
    unlink(name);
    int file = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0640);
    if (file < 0)
        return false;
    bool written =
        write(file, note->bytes, note->length) == (ssize_t)note->length && fsync(file) == 0;
    if (geteuid() == 0 && stat(store->database->path, &logbook) == 0)
        written = fchown(file, logbook.st_uid, logbook.st_gid) == 0 && written;
    close(file);
    return written;
}

bool store_read_identity(const struct store *store, unsigned char out[UUID_BYTES])
{
    struct statement *read = database_statement(store->database, STATEMENT_READ_LOGBOOK);
    bool found = database_step(store->database, read) == STORE_DONE;
    if (found)
        memcpy(out, database_read_blob(read, "identity"), UUID_BYTES);
    sqlite3_reset(read->handle);
    return found;
}

bool store_record_backup(const struct store *store, const struct backup_note *note)
{
    char name[PATH_MAX], fresh[PATH_MAX], time[DATETIME_TEXT_LENGTH];
    unsigned char identity[UUID_BYTES] = {0};
    struct buffer text = {0};
    datetime_format(note->made_at_ms, time);
    store_read_identity(store, identity);
    buffer_print(&text, "%.*s %.*s\n", (int)sizeof time, time, (int)note->path.length,
                 note->path.bytes);
    buffer_append_hex(&text, identity, UUID_BYTES);
    buffer_print(&text, " %lld\n%lld %.*s\n", (long long)note->keep, (long long)note->handed_at_ms,
                 (int)note->failure.length, note->failure.length ? note->failure.bytes : "");
    const bool noted = folder_path_beside(store->database->path, FILE_SUFFIX, name) &&
                       folder_path_beside(store->database->path, FILE_SUFFIX ".new", fresh) &&
                       write_note(store, fresh, &text) && rename(fresh, name) == 0;
    if (!noted)
        log_line("%s" FILE_SUFFIX ": cannot record the backup: %s", store->database->path,
                 strerror(errno));
    buffer_free(&text);
    return noted;
}

/* People paste the printed path, so a path that could move a terminal's cursor is rejected: we
 * never wrote it. */
static bool can_be_shown(struct text path)
{
    return text_is_utf8(path.bytes, path.length) && !text_has_control(path);
}

enum store_result store_find_backup_note(const char *logbook, struct arena *arena,
                                         struct backup_note *out)
{
    char note[NOTE_BYTES_MAX], name[PATH_MAX];
    int file =
        folder_path_beside(logbook, FILE_SUFFIX, name) ? folder_open_file(name, O_RDONLY) : -1;
    if (file < 0)
        return STORE_NONE;
    ssize_t length = read(file, note, sizeof note - 1);
    close(file);
    if (length < DATETIME_TEXT_LENGTH + 2)
        return STORE_NONE;
    struct text rest = {note + DATETIME_TEXT_LENGTH + 1, (size_t)length - DATETIME_TEXT_LENGTH - 1};
    struct text path = text_split_next(&rest, '\n');
    int64_t made_at_ms;
    if (!rest.bytes || !datetime_parse((struct text){note, DATETIME_TEXT_LENGTH}, &made_at_ms) ||
        !can_be_shown(path))
        return STORE_NONE;
    path.bytes = arena_copy(arena, path.bytes, path.length);
    *out = (struct backup_note){.made_at_ms = made_at_ms, .path = path};
    if (rest.length > 2 * UUID_BYTES + 2) {
        text_parse_hex((struct text){rest.bytes, 2 * UUID_BYTES}, out->identity);
        text_split_next(&rest, ' ');
        text_parse_integer(text_split_next(&rest, '\n'), 0, INT64_MAX, &out->keep);
        text_parse_integer(text_split_next(&rest, ' '), 0, DATETIME_MAXIMUM_MS, &out->handed_at_ms);
        const struct text failure = text_split_next(&rest, '\n');
        if (failure.length > 0 && can_be_shown(failure))
            out->failure = text_of(arena_copy(arena, failure.bytes, failure.length));
    }
    return STORE_DONE;
}

void store_forget_other_backup(const char *logbook, const unsigned char identity[UUID_BYTES],
                               struct arena *arena)
{
    static const unsigned char unknown[UUID_BYTES];
    char name[PATH_MAX];
    struct backup_note note;
    if (store_find_backup_note(logbook, arena, &note) == STORE_DONE &&
        memcmp(note.identity, unknown, UUID_BYTES) != 0 &&
        memcmp(note.identity, identity, UUID_BYTES) != 0 &&
        folder_path_beside(logbook, FILE_SUFFIX, name))
        unlink(name);
}

/* offset in the header of a database file, https://www.sqlite.org/fileformat.html */
#define MAGIC "SQLite format 3"
#define HEADER_BYTES 100
#define PAGE_SIZE_AT 16
#define PAGES_AT 28

/* A full disk or an interrupted copy leaves such a file. A file that cannot be read does not count.
 */
bool backup_is_cut_short(const char *path)
{
    struct stat file;
    uint32_t pages;
    unsigned char header[HEADER_BYTES] = {0};
    int opened = folder_open_file(path, O_RDONLY);
    if (opened < 0)
        return false;
    bool is_read = fstat(opened, &file) == 0 && pread(opened, header, HEADER_BYTES, 0) >= 0;
    close(opened);
    memcpy(&pages, header + PAGES_AT, sizeof pages);
    off_t page = header[PAGE_SIZE_AT] << 8 | header[PAGE_SIZE_AT + 1];
    return is_read && (memcmp(header, MAGIC, sizeof MAGIC) != 0 ||
                       file.st_size < (page == 1 ? 65536 : page) * (off_t)ntohl(pages));
}
