/* Sends many requests at once to addresses that members chose: with https, only to public
 * addresses, without redirects, and within limits of time and size. Slow addresses delay only
 * themselves. Each address is checked when the connection is opened, after the name was resolved.
 * So a name cannot pass the check and then resolve to another address. */
#ifndef QSOSYNC_HTTP_TRANSFERS_H
#define QSOSYNC_HTTP_TRANSFERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

#define TRANSFER_HEADERS_MAX 10
#define TRANSFER_MS_MAX 10000

/* The failure of a transfer to an address that is not public. All other failures are libcurl's
 * error numbers. */
#define TRANSFER_NOT_PUBLIC 1000
#define TRANSFER_NO_CLIENT 1001 /* libcurl cannot be loaded */

struct transfer {
    const char *url;
    bool is_put;                                   /* PUT instead of POST */
    const char *headers[TRANSFER_HEADERS_MAX + 1]; /* "Name: value", ending with NULL */
    struct text body;
    /* the result: 0 or the failure; whether nothing was sent, so that another attempt can succeed;
     * the status, 0 without an answer; and
     * the seconds in Retry-After */
    int failure;
    bool was_not_sent;
    long status;
    int64_t retry_after_s;
};

/* Sends all transfers. `hosts` is NULL, or names hosts that the operator trusts, with the addresses
 * that are used instead of looking them up: "HOST:PORT:ADDRESS:PORT", separated by commas. */
void transfers_send(struct transfer *transfers, size_t count, const char *hosts);

#endif
