/* What the doctor asks about the request limit. */
#ifndef QSOSYNC_ADMIN_DOCTOR_LIMIT_H
#define QSOSYNC_ADMIN_DOCTOR_LIMIT_H

#include "admin/conversation.h"

/* Whether an answer tells the limit, and whether a client can evade it by naming another address.
 */
void doctor_check_limit(struct conversation *with, const struct http_response *response);

/* How the service refuses too many requests. Uses up what this address may ask in a minute. */
void doctor_check_retry_after(struct conversation *with);

#endif
