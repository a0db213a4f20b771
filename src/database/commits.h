/* Whether anybody has committed anything. */
#ifndef QSOSYNC_DATABASE_COMMITS_H
#define QSOSYNC_DATABASE_COMMITS_H

#include "database/database.h"

/* commits_note is called before a query; commits_are_new then tells whether anything was committed,
 * by whomever, that the query may not have seen. True also where that cannot be known. A look costs
 * no call of the system; a file that took the logbook's place is seen by database_is_current. */
void commits_note(struct database *database);
bool commits_are_new(const struct database *database);

#endif
