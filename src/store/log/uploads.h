/* Whether members' programs may upload QSOs to this logbook. */
#ifndef QSOSYNC_STORE_UPLOADS_H
#define QSOSYNC_STORE_UPLOADS_H

#include <stdbool.h>

#include "database/result.h"

struct store;

/* Reads the decision. */
enum store_result store_read_uploads(struct store *store, bool *on);

/* Changes the decision, in a transaction of its own. */
enum store_result store_set_uploads(struct store *store, bool on);

#endif
