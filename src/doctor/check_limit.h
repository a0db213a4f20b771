/* The checks of the request limit. */
#ifndef QSOSYNC_DOCTOR_CHECK_LIMIT_H
#define QSOSYNC_DOCTOR_CHECK_LIMIT_H

#include "doctor/probe.h"

/* Seconds until it is worth asking on: 0 where this address may make the requests of all checks, or
 * where the answer does not tell. */
int64_t check_limit_wait_s(struct probe *probe, const struct http_response *response);

/* Whether answers say what the limit is, and whether a client can evade it by naming another
 * address. */
void check_limit_headers(struct probe *probe, const struct http_response *response);

/* How the service refuses too many requests. Uses up the requests that this address may make in a
 * minute. */
void check_limit_retry_after(struct probe *probe);

#endif
