/* Spots in the database, for the other files of the store. */
#ifndef QSOSYNC_STORE_SPOTS_H
#define QSOSYNC_STORE_SPOTS_H

#include "store/database.h"

/* Whether the member may publish another spot now, inside the open write transaction. Spots that
 * were deleted since count: they have been sent. */
enum store_result spots_have_room(struct store *store, int64_t member_id, bool *room);

/* Publishes the spot of a member's QSO that has its id, inside the open write transaction. The
 * spotter is the station callsign, unless that is another member's. */
enum store_result spots_publish(struct store *store, const struct qso *qso,
                                const struct identity *member);

#endif
