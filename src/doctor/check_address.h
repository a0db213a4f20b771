/* The checks of a service that cannot be reached, and of the addresses by which it can. */
#ifndef QSOSYNC_DOCTOR_CHECK_ADDRESS_H
#define QSOSYNC_DOCTOR_CHECK_ADDRESS_H

#include "doctor/probe.h"

/* Adds the finding for a request that got no answer: its most likely cause, which may be this
 * machine's own clock. */
void check_address_report_no_answer(struct probe *probe, const struct http_response *response);

/* Adds the finding for a service that answers: whether it does by IPv4 and by IPv6. */
void check_address_families(struct probe *probe);

/* The command for a certificate that clients refuse for this reason; "" for one that is missing. */
const char *check_address_fix_certificate(struct probe *probe, const char *reason);

#endif
