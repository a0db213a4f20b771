/* Data that a passkey has signed, as a browser sends it. One request receives a challenge, and the
 * next request sends the answer to the challenge:
 *
 *     TRY(signed_write_challenge(exchange, NULL));
 *
 *     TRY(submission_read(exchange, signed_fields, values));
 *     error = signed_read_use(exchange, values, &use);
 *     if (!error)
 *         error = browser_open_by_passkey(exchange, &use);
 *     return signed_count_failure(exchange, error);
 *
 * All results are in the exchange's arena. Only the store checks whether a challenge is valid,
 * when the passkey is used or added. */
#ifndef QSOSYNC_SITE_SIGNED_H
#define QSOSYNC_SITE_SIGNED_H

#include "base/passkey.h"
#include "json/read.h"
#include "site/shared/submission.h"
#include "store/people/passkeys.h"
#include "worker/route.h"

/* The fields, in the order of signed_fields, whose list ends with NULL. */
enum signed_field {
    SIGNED_CREDENTIAL,
    SIGNED_CLIENT_DATA,
    SIGNED_AUTHENTICATOR_DATA,
    SIGNED_SIGNATURE
};
extern const char *const signed_fields[];

/* Returns the name under which authenticators store passkeys: the host of the service's own
 * address, in the arena. */
struct text signed_rp_id(struct exchange *exchange);

/* Writes the fields challenge and rpId of an answer. `session` is the fingerprint of the session
 * for which the challenge is created, or NULL if the challenge is for signing in. Returns NULL, or
 * the error to answer with. */
const struct error *signed_write_challenge(struct exchange *exchange, const unsigned char *session);

/* Decodes the values of the fields from `first` to `last`. Returns NULL, or the error to answer
 * with. */
const struct error *signed_decode(struct exchange *exchange, struct text values[], int first,
                                  int last);

/* Reads the browser's data about the requesting page. Returns false if the page is not ours, or if
 * the data is malformed or of another type. */
bool signed_read_client_data(struct exchange *exchange, struct text json, const char *type,
                             struct answered *answered);

/* Verifies that an active member's passkey has signed for our page. Returns NULL and fills *use,
 * except for the session; otherwise returns the error to answer with. */
const struct error *signed_read_use(struct exchange *exchange, struct text values[],
                                    struct passkey_use *use);

/* Counts the failure if the error is an invalid or copied passkey. Returns the error to answer
 * with, which is a different error after too many failures. */
const struct error *signed_count_failure(struct exchange *exchange, const struct error *error);

#endif
