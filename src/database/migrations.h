/* Brings the schema of a database up to the one that this program knows. */
#ifndef QSOSYNC_DATABASE_MIGRATIONS_H
#define QSOSYNC_DATABASE_MIGRATIONS_H

#include "database/database.h"

/* Opens the writer lock, and runs every numbered file of schema/ that the database has not seen,
 * each in a transaction of its own that also raises user_version: a kill in the middle leaves the
 * step before, and several processes at once run each step once. An empty database is filled only
 * when `create` is set (STORE_NONE otherwise). STORE_BROKEN: no logbook of ours, or one of a newer
 * program. */
enum store_result migrations_run(struct database *database, bool create);

/* The same for a file that is only read: an older schema is brought up to date in a private copy,
 * which takes the file's place in the store. */
enum store_result migrations_run_on_copy(struct database *database);

/* For a connection that only reads: STORE_DONE when the schema is the one that this program knows.
 */
enum store_result migrations_check(struct database *database);

#endif
