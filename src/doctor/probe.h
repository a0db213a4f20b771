/* Sends requests to the examined service. */
#ifndef QSOSYNC_DOCTOR_PROBE_H
#define QSOSYNC_DOCTOR_PROBE_H

#include <stdbool.h>

#include "doctor/examination.h"
#include "http/client.h"

#define API "/api/v1"
#define PROBE_ORIGIN "https://doctor.example" /* the origin of another site's pages */
/* the answer describes the request as the service received it */
#define PROBE_SELF "/healthz?request"

/* Sends a request for a path on the site or for another URL. The arguments are fields of struct
 * client_request. */
#define probe_ask(seen, ...) probe_send(seen, (struct client_request){__VA_ARGS__})
struct client_response probe_send(struct examination *seen, struct client_request request);

/* Returns whether this status or an earlier status shows that the service itself fails, or refuses
 * further requests from this machine. The first such answer becomes a finding. After that, nothing
 * can be concluded about sites and limits. */
bool probe_has_failed(struct examination *seen, const char *check, long status);

/* Returns whether the host in the examined address is this machine's loopback address, which other
 * machines cannot use. */
bool probe_asks_this_machine(struct examination *seen);

/* Returns the value of a text in the answer's JSON object, in the arena, or NULL if the text is
 * missing. */
const char *probe_find_text(const struct client_response *response, const char *name);

#endif
