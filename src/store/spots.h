/* Spots: what members publish of their QSOs. */
#ifndef QSOSYNC_STORE_SPOTS_H
#define QSOSYNC_STORE_SPOTS_H

#include <stdbool.h>
#include <stdint.h>

#include "qso/spot.h"
#include "store/transaction.h"

struct statement;

#define STORE_SPOTS_A_MINUTE 20 /* that a member publishes; in any minute */

/* Is called with each spot of a list, whose texts are valid during the call; false ends the list.
 */
typedef bool spot_visitor(void *context, const struct spot *spot);

/* All spots, newest first. */
enum store_result store_list_spots(struct store *store, spot_visitor *visit, void *context);

/* The spots that were published before this one, newest first. */
enum store_result store_list_spots_before(struct store *store, int64_t id, spot_visitor *visit,
                                          void *context);

/* The spots that were published after this one (0: all), oldest first. */
enum store_result store_list_spots_after(struct store *store, int64_t id, spot_visitor *visit,
                                         void *context);

/* The spots of a member's QSOs, in no order. */
enum store_result store_list_member_spots(struct store *store, int64_t member_id,
                                          spot_visitor *visit, void *context);

/* -- For other files of the store -------------------------------------------------------------- */

/* Whether the member may publish another spot now, inside the open write transaction. Spots that
 * were deleted since count: they have been sent. */
enum store_result spots_have_room(struct transaction *transaction, int64_t member_id, bool *room);

/* Visits the rows of a list with the columns of spots. */
enum store_result spots_visit(struct store *store, struct statement *list, spot_visitor *visit,
                              void *context);

/* Publishes the spot of a member's QSO that has its id, inside the open write transaction. The
 * spotter is the station callsign, unless that is another member's. */
enum store_result spots_publish(struct transaction *transaction, const struct qso *qso,
                                const struct identity *member);

#endif
