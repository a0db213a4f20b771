/* Builds the request that sends an alert to a browser's push service or to a web address. */
#ifndef QSOSYNC_ALERTS_REQUEST_H
#define QSOSYNC_ALERTS_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "alerts/template.h"
#include "base/arena.h"
#include "base/es256_key.h"
#include "http/transfers.h"
#include "store/alerts/alert_queue.h"

/* The service that sends alerts. */
struct alert_sender {
    const char *address; /* address of the service, without a final slash */
    struct es256_key key;
    int64_t now_ms;
};

/* Fills *out, whose texts are in the arena. Returns false if the alert cannot be encrypted, for
 * example because the browser's key is wrong. */
bool request_build(const struct alert_delivery *delivery, const struct alert_sender *sender,
                   struct arena *arena, struct transfer *out);

/* Returns the texts of the alert, in the arena. They contain nothing but the public spot and the
 * name of the member's own rule. */
struct template_values request_values(const struct alert_delivery *delivery, const char *address,
                                      struct arena *arena);

#endif
