/* A whole database into another, by SQLite's online backup. */
#ifndef QSOSYNC_STORE_COPY_H
#define QSOSYNC_STORE_COPY_H

#include <sqlite3.h>

/* Copies everything within one snapshot and one transaction: writers are not held up, and the copy
 * never has to start again because of them. Returns an SQLite result code. */
int copy_database(sqlite3 *from, sqlite3 *to);

#endif
