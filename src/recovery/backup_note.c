/* Reads and writes the record of the last backup: a few lines in a file next to the logbook, which
 * is always replaced as a whole. Older releases wrote only the first line. The file is not part of
 * a backup. Losing the file is harmless, because the next backup writes a new record. */
#include "recovery/backup_note.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
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
#include "store/store.h"

#define FILE_SUFFIX "-last-backup"
#define NOTE_BYTES_MAX /* two lines with the longest path; a longer third line is cut */           \
    (DATETIME_TEXT_LENGTH + PATH_MAX + 2 * UUID_BYTES + 25)

/* Writes the record to a new file. The file belongs to the logbook's owner, even if root runs the
 * backup. */
static bool write_file(const struct store *store, const char *name, const struct buffer *note)
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

bool backup_note_write(const struct store *store, const struct backup_note *note)
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
                       write_file(store, fresh, &text) && rename(fresh, name) == 0;
    if (!noted)
        log_line("%s" FILE_SUFFIX ": cannot record the backup: %s", store->database->path,
                 strerror(errno));
    buffer_free(&text);
    return noted;
}

/* Returns whether a path or a failure can be printed. Operators copy and paste printed paths, and a
 * control character could move a terminal's cursor. */
static bool can_be_shown(struct text path)
{
    return text_is_utf8(path.bytes, path.length) && !text_has_control(path);
}

enum store_result backup_note_read(const char *logbook, struct arena *arena,
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

void backup_note_forget_other(const char *logbook, const unsigned char identity[UUID_BYTES],
                              struct arena *arena)
{
    static const unsigned char unknown[UUID_BYTES];
    char name[PATH_MAX];
    struct backup_note note;
    if (backup_note_read(logbook, arena, &note) == STORE_DONE &&
        memcmp(note.identity, unknown, UUID_BYTES) != 0 &&
        memcmp(note.identity, identity, UUID_BYTES) != 0 &&
        folder_path_beside(logbook, FILE_SUFFIX, name))
        unlink(name);
}
