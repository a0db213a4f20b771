/* Shared parts of the checks of a service at its address: requests, and commands to paste. */
#ifndef QSOSYNC_DOCTOR_PROBE_H
#define QSOSYNC_DOCTOR_PROBE_H

#include "doctor/examination.h"
#include "http/client.h"
#include "installation.h"

/* -- The service that is asked ----------------------------------------------------------------- */

#define API "/api/v1"

/* Asks for a path of the site, or another address; the request's fields follow. */
#define probe_ask(seen, ...) probe_send(seen, (struct client_request){__VA_ARGS__})
struct client_response probe_send(struct examination *seen, struct client_request request);

/* Whether this status means that the service itself fails, or accepts no more requests from here.
 * The first such answer becomes a finding; after one, nothing is concluded about sites and limits.
 */
bool probe_has_failed(struct examination *seen, const char *check, long status);

/* Whether this is a loopback address, which no other machine can use. */
bool probe_asks_this_machine(struct examination *seen);

/* The line that installs the shipped site, or instructions for users without root. */
const char *probe_fix_for_site(struct examination *seen);

/* The same after another command (no text: none), with an option; NULL without root. */
const char *probe_fix_by_putting(struct examination *seen, const char *before, const char *option);

/* The line that asks at another address. */
const char *probe_fix_by_asking(struct examination *seen, const char *address);

/* -- Checks ------------------------------------------------------------------------------------ */

/* Checks that the key arrives and is valid, and that a large body arrives; skipped without a key
 * (no text). Nothing is saved. */
void key_check(struct examination *seen, struct text key);

/* Checks signing in, and the service's own address, given this answer of /healthz.
 * Nobody signs in, no password is tried, and no secret is sent. */
void sign_in_check(struct examination *seen, const struct client_response *health);

#endif
