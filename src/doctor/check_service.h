/* All checks of the service at its address. */
#ifndef QSOSYNC_DOCTOR_CHECK_SERVICE_H
#define QSOSYNC_DOCTOR_CHECK_SERVICE_H

#include "doctor/doctor.h"
#include "doctor/findings.h"
#include "store/credentials.h"

/* Whether it answers, its certificate, what the web server lets through in both directions, CORS,
 * the way on which members sign in, the request limit, its clock. `key` (no text: none) is sent
 * where the certificate is trusted, and appears in no finding. Where doctor->store is open, the
 * logbook there is compared. `gentle`: without the check that uses up this address's requests of a
 * minute. Nothing is saved. */
void check_service(struct doctor *doctor, const char *url, struct text key, bool gentle,
                   struct findings *findings);

#endif
