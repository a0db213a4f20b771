/* What the doctor asks about the request limit. */
#ifndef QSOSYNC_ADMIN_DOCTOR_LIMIT_H
#define QSOSYNC_ADMIN_DOCTOR_LIMIT_H

#include "admin/conversation.h"

/* Seconds until it is worth asking on: 0 where this address may make the requests of all checks, or
 * where the answer does not tell. */
int64_t doctor_limit_wait_s(struct conversation *with, const struct http_response *response);

/* Whether answers say what the limit is, and whether a client can evade it by naming another
 * address. */
void doctor_check_limit(struct conversation *with, const struct http_response *response);

/* How the service refuses too many requests. Uses up the requests that this address may make in a
 * minute. */
void doctor_check_retry_after(struct conversation *with);

#endif
