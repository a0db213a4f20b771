/* What the doctor says where a service cannot be reached, and by which addresses it can. */
#ifndef QSOSYNC_ADMIN_DOCTOR_ADDRESS_H
#define QSOSYNC_ADMIN_DOCTOR_ADDRESS_H

#include "admin/conversation.h"

/* Adds the finding for a request that got no answer: its most likely cause, which may be this
 * machine's own clock. */
void doctor_report_no_answer(struct conversation *with, const struct http_response *response);

/* Adds the finding for a service that answers: whether it does by IPv4 and by IPv6. */
void doctor_check_addresses(struct conversation *with);

/* The command for a certificate that clients refuse for this reason; "" for one that is missing. */
const char *doctor_fix_for_certificate(struct conversation *with, const char *reason);

#endif
