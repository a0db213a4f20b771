/* The alerts to be sent, for "qsosync-admin alerts send":
 *
 *     store_match_alerts(store)                  new spots become alerts
 *     store_begin_alerts(store, arena, batch)    marks due deliveries, so that nobody sends them
 *                                                again, even if this process is killed
 *     ... sends them
 *     store_end_alerts(store, results, count)    stores the outcomes */
#ifndef QSOSYNC_STORE_ALERT_QUEUE_H
#define QSOSYNC_STORE_ALERT_QUEUE_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"
#include "qso/spot.h"
#include "store/alerts/alert_notes.h"
#include "store/alerts/alert_ways.h"
#include "store/transaction.h"

/* Spots that are older do not become alerts, and alerts that are older are not sent. */
#define ALERT_SPOT_AGE_MS (15 * 60 * 1000)
#define ALERT_AGE_MS (60 * 60 * 1000)

/* Records this run, and turns the spots since the last run into alerts. */
enum store_result store_match_alerts(struct store *store);

/* An alert that is due, and its way. */
struct alert_delivery {
    int64_t alert_id, way_id;
    int64_t tries; /* number of earlier attempts that were refused for the time being */
    struct text rule;
    struct spot spot;
    struct alert_way way;
};

#define ALERT_BATCH 100

/* Marks at most ALERT_BATCH due deliveries, and copies them into the arena. *count is 0 if nothing
 * is due. */
enum store_result store_begin_alerts(struct store *store, struct arena *arena,
                                     struct alert_delivery out[ALERT_BATCH], size_t *count);

/* The outcome of a delivery. ALERT_AGAIN: the address refused it for the time being. ALERT_GONE:
 * the address no longer exists. */
enum alert_outcome { ALERT_SENT, ALERT_AGAIN, ALERT_FAILED, ALERT_GONE };

struct alert_result {
    int64_t alert_id, way_id;
    enum alert_outcome outcome;
    int64_t wait_ms; /* for ALERT_AGAIN */
    int64_t failure; /* HTTP status, or a negative error number */
};

enum store_result store_end_alerts(struct store *store, const struct alert_result *results,
                                   size_t count);

/* Stores an alert, without its deliveries, inside the open write transaction. The rule's name is
 * missing if the member tries a way. */
enum store_result alert_queue_add(struct transaction *transaction, int64_t member_id,
                                  struct text rule, const struct spot *spot, enum alert_held held);

/* Stores an alert about an invented spot for one of the member's ways, and clears its has_ended.
 * Neither limits nor quiet hours apply. Returns STORE_NONE if the member has no such way,
 * and STORE_REFUSED if the member has tried ways ALERT_HOURLY_MAX times in the last hour. Runs its
 * own transaction; alerts are then sent. */
enum store_result store_try_alert_way(struct store *store, int64_t member_id, int64_t way_id,
                                      const struct spot *spot);

#endif
