/* Files that are only read: backups, and a logbook that a command does not change. */
#ifndef QSOSYNC_DATABASE_READ_ONLY_H
#define QSOSYNC_DATABASE_READ_ONLY_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>

/* A file that nobody has open for writing, as it was when it was opened. */
struct read_only {
    void *map; /* NULL: somebody has, so SQLite's locks keep readers and writers apart */
    size_t bytes;
    struct timespec modified;
};

/* Opens the file so that it stays byte for byte as it is. Where nobody has it open for writing, no
 * file appears beside it either, and neither the file nor its folder or its medium needs to be
 * writable. Returns an SQLite result code; read_only_close follows whatever it is. */
int read_only_open(const char *path, sqlite3 **out, struct read_only *file);
void read_only_close(sqlite3 *database, struct read_only *file);

/* True if somebody has written to the file since; what was read from it is then not valid. */
bool read_only_has_changed(const char *path, const struct read_only *file);

#endif
