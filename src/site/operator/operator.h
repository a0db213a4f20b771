/* Helpers of the routes below /operator/data. */
#ifndef QSOSYNC_SITE_OPERATOR_H
#define QSOSYNC_SITE_OPERATOR_H

#include "site/profile/profile.h"

/* Before each of them: what profile_prepare does, and exchange->subject is the member, or station,
 * whom the segment {number} of the path names: /operator/data/members/{number}. */
const struct error *operator_prepare(struct exchange *exchange);

/* 409 for what operators cannot do to their own membership: another operator or the command can. */
const struct error *operator_check_other(const struct exchange *exchange);

/* A field of the object that is sent: a callsign in the form in which members have it, in the
 * arena. */
const struct error *operator_read_callsign(struct exchange *exchange, struct text *callsign);

/* The error to answer with; NULL for STORE_DONE. STORE_REFUSED is `refusal`; STORE_DENIED means
 * that the session or the role has ended. Call it outside any transaction. */
const struct error *operator_store_error(struct exchange *exchange, enum store_result result,
                                         const struct error *refusal);

#endif
