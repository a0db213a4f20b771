/* Stores whether members' programs may upload QSOs to this logbook. */
#ifndef QSOSYNC_STORE_UPLOADS_H
#define QSOSYNC_STORE_UPLOADS_H

#include <stdbool.h>

#include "database/result.h"

struct store;

/* Reads whether uploads are on. */
enum store_result store_read_uploads(struct store *store, bool *on);

/* Switches uploads on or off. Runs its own transaction. */
enum store_result store_set_uploads(struct store *store, bool on);

#endif
