/* Brings a database's schema up to this program's version. */
#ifndef QSOSYNC_DATABASE_MIGRATIONS_H
#define QSOSYNC_DATABASE_MIGRATIONS_H

#include <stdbool.h>

#include "database/database.h"

/* Opens the writer lock, and runs each numbered file in schema/migrations that has not yet run on
 * the database. Each file runs in its own transaction, which also raises user_version, so a killed
 * process leaves the schema of the last finished file. If several processes do this at the same
 * time, each file still runs only once. An empty database is filled from schema/schema.sql instead,
 * but only if `create` is set (otherwise STORE_NONE). Returns STORE_FOREIGN for a file that is not
 * a logbook, and STORE_NEWER for a newer program's schema. */
enum store_result migrations_run(struct database *database, bool create);

/* If a read-only file has an older schema, brings the schema up to date in a private copy, which
 * the connection then uses. */
enum store_result migrations_run_on_copy(struct database *database);

/* Returns STORE_DONE if the schema has this program's version, and STORE_BROKEN if the schema is
 * older. Other files give the results of migrations_run. Used for a connection that only reads. */
enum store_result migrations_check(struct database *database);

#endif
