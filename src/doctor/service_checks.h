/* Declares the checks for a service at its address. */
#ifndef QSOSYNC_DOCTOR_SERVICE_CHECKS_H
#define QSOSYNC_DOCTOR_SERVICE_CHECKS_H

#include <stdbool.h>
#include <stdint.h>

#include "doctor/examination.h"
#include "http/client.h"

/* Checks the answer to a request for the description of the API. Returns whether the answer is
 * right. */
bool answer_check(struct examination *seen, const struct client_response *response);

/* Reports why the certificate is not trusted. */
void certificate_report(struct examination *seen, const struct client_response *response);

/* Checks the encryption, and the certificate's expiry. Returns false if a key would be sent
 * unencrypted. */
bool certificate_check(struct examination *seen, const struct client_response *response);

/* Checks the headers that pages from other sites need, given the answer to a plain request. */
void headers_check_cors(struct examination *seen, const struct client_response *plain);

/* Compares the service's clock with this machine's, given the answer to a request that was sent at
 * this time. */
void headers_check_clock(struct examination *seen, int64_t sent_ms,
                         const struct client_response *response);

/* Checks that the key arrives and is valid, and that a large body arrives. Without a key (no text),
 * adds only a warning. Nothing is saved. */
void key_check(struct examination *seen, struct text key);

/* Checks whether members can sign in, and the service's own address, given this answer from
 * /healthz. Nobody signs in, no password is tried, and no secret is sent. */
void sign_in_check(struct examination *seen, const struct client_response *health);

/* Checks the service's own address. Returns false if this address is unencrypted although the
 * examined address is encrypted. Also returns false if this address differs from an examined
 * address that is not on this machine. */
bool address_check(struct examination *seen);

/* Checks the request limit, given any answer from the API. */
void limit_check(struct examination *seen, const struct client_response *response);

#endif
