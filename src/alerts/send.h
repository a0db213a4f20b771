/* Sends the alerts that are due. */
#ifndef QSOSYNC_ALERTS_SEND_H
#define QSOSYNC_ALERTS_SEND_H

#include <stdint.h>

#include "alerts/request.h"

struct send_options {
    const char *address; /* address of the service */
    const char *hosts;   /* hosts that the operator trusts (http/transfers.h); NULL: none */
    int64_t most_ms;     /* no batch begins after this time */
};

struct send_counts {
    int64_t sent, again, failed;
};

/* Turns new spots into alerts, and sends what is due, in batches. */
enum store_result alerts_send(struct store *store, const struct send_options *options,
                              struct send_counts *counts);

#endif
