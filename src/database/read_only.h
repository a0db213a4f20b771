/* Files that are only read. */
#ifndef QSOSYNC_DATABASE_READ_ONLY_H
#define QSOSYNC_DATABASE_READ_ONLY_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>

/* A file that no program has open for writing, in its state when it was opened. */
struct read_only {
    void *map; /* NULL: a program has it open, so SQLite's locks separate readers and writers */
    size_t bytes;
    struct timespec modified;
};

/* Opens the file without changing a byte of it. If no program has the file open for writing, no
 * file appears next to it either. The file, its folder and its medium may then all be read-only.
 * Returns an SQLite result code; call read_only_close in any case. */
int read_only_open(const char *path, sqlite3 **out, struct read_only *file);
void read_only_close(sqlite3 *database, struct read_only *file);

/* True if a program has written to the file since it was opened; the data read from it is then
 * invalid. */
bool read_only_has_changed(const char *path, const struct read_only *file);

#endif
