/* Helpers of the routes below /operator/data. */
#ifndef QSOSYNC_SITE_OPERATOR_H
#define QSOSYNC_SITE_OPERATOR_H

#include "site/profile/profile.h"

/* Runs before each route below /operator/data, and calls profile_prepare. If the path contains the
 * number of a member or station, as in /operator/data/members/{number}, fills exchange->subject.
 * Returns NULL, or the error to answer with. */
const struct error *operator_prepare(struct exchange *exchange);

/* Returns the error 409 if the path names the operator, who cannot change their own membership on
 * this page; NULL otherwise. Another operator or the command can change it. */
const struct error *operator_check_other(const struct exchange *exchange);

/* Reads the callsign in the request's object into the arena, in the format in which the logbook
 * stores members' callsigns. */
const struct error *operator_read_callsign(struct exchange *exchange, struct text *callsign);

/* Returns the error to answer with; NULL for STORE_DONE. STORE_REFUSED becomes `refusal`.
 * STORE_DENIED means that the session or the operator's role has ended. Call this function outside
 * any transaction. */
const struct error *operator_store_error(struct exchange *exchange, enum store_result result,
                                         const struct error *refusal);

#endif
