/* Spots in the database, for the other files of the store. */
#ifndef QSOSYNC_STORE_SPOTS_H
#define QSOSYNC_STORE_SPOTS_H

#include "store/database.h"

/* Publishes the spot of a QSO that has its id, inside the open write transaction. */
enum store_result spots_publish(struct store *store, const struct qso *qso,
                                struct text member_callsign);

#endif
