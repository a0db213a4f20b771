/* Remembers when the last backup was made and where it is: one line in a file beside the logbook,
 * which is replaced as a whole. The file is no part of a backup, and may be lost without harm: the
 * doctor and status read it, nothing else does. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/datetime.h"
#include "base/folder.h"
#include "base/log.h"
#include "recovery/backup.h"
#include "store/store.h"

#define FILE_SUFFIX "-last-backup"
#define LINE_BYTES_MAX (DATETIME_TEXT_LENGTH + PATH_MAX + 3) /* time, blank, path, LF, NUL */

/* With the owner of the logbook, whoever runs the backup. */
static bool write_line(const struct store *store, const char *name, const char *line)
{
    struct stat logbook;
    unlink(name);
    int file = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0640);
    if (file < 0)
        return false;
    bool written = write(file, line, strlen(line)) == (ssize_t)strlen(line) && fsync(file) == 0;
    if (geteuid() == 0 && stat(store->database->path, &logbook) == 0)
        written = fchown(file, logbook.st_uid, logbook.st_gid) == 0 && written;
    close(file);
    return written;
}

bool store_note_backup(const struct store *store, const struct backup_note *note)
{
    char line[LINE_BYTES_MAX], name[PATH_MAX], fresh[PATH_MAX], time[DATETIME_TEXT_LENGTH + 1];
    datetime_format(note->made_at_ms, time);
    time[DATETIME_TEXT_LENGTH] = '\0';
    snprintf(line, sizeof line, "%s %.*s\n", time, (int)note->path.length, note->path.bytes);
    if (folder_path_beside(store->database->path, FILE_SUFFIX, name) &&
        folder_path_beside(store->database->path, FILE_SUFFIX ".new", fresh) &&
        write_line(store, fresh, line) && rename(fresh, name) == 0)
        return true;
    log_line("%s" FILE_SUFFIX ": cannot note the backup: %s", store->database->path,
             strerror(errno));
    return false;
}

/* The path is printed, for people to paste: what would move a terminal's cursor was not written by
 * us. */
static bool can_be_shown(struct text path)
{
    return text_is_utf8(path.bytes, path.length) && !text_has_control(path);
}

enum store_result store_find_backup_note(const char *logbook, struct arena *arena,
                                         struct backup_note *out)
{
    char line[LINE_BYTES_MAX], name[PATH_MAX];
    int file =
        folder_path_beside(logbook, FILE_SUFFIX, name) ? folder_open_file(name, O_RDONLY) : -1;
    if (file < 0)
        return STORE_NONE;
    ssize_t length = read(file, line, sizeof line - 1);
    close(file);
    struct text time = {line, DATETIME_TEXT_LENGTH};
    if (length < DATETIME_TEXT_LENGTH + 2 || line[length - 1] != '\n')
        return STORE_NONE;
    struct text path = {line + DATETIME_TEXT_LENGTH + 1, (size_t)length - DATETIME_TEXT_LENGTH - 2};
    int64_t made_at_ms;
    if (!datetime_parse(time, &made_at_ms) || !can_be_shown(path))
        return STORE_NONE;
    path.bytes = arena_copy(arena, path.bytes, path.length);
    *out = (struct backup_note){.made_at_ms = made_at_ms, .path = path};
    return STORE_DONE;
}
