/* Opens files that are only read. */
#ifndef QSOSYNC_DATABASE_READ_ONLY_H
#define QSOSYNC_DATABASE_READ_ONLY_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>

/* A mapped file, in its state at the time of opening. */
struct read_only {
    void *map; /* NULL: another program could be writing the file, or mapping failed, so SQLite
                * opened the file with locks */
    size_t bytes;
    struct timespec modified;
};

/* Opens the file without changing a byte of it. If no program has the file open for writing, no
 * file is created next to it either. The file, its folder and its medium can then be read-only.
 * Returns an SQLite result code; call read_only_close even after a failure. */
int read_only_open(const char *path, sqlite3 **out, struct read_only *file);
void read_only_close(sqlite3 *database, struct read_only *file);

/* Returns whether a program may have changed the mapped file since it was opened. In that case, the
 * data read from the file is invalid. Returns false if the file is not mapped. */
bool read_only_has_changed(const char *path, const struct read_only *file);

#endif
