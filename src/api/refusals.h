/* Keeps the last refusal of each key for its owner, who sees it on the profile page. */
#ifndef QSOSYNC_API_REFUSALS_H
#define QSOSYNC_API_REFUSALS_H

#include "worker/route.h"

/* Notes the error of a whole request, or the rejected entries of a batch (no code: there are none).
 * A request that the limit has refused has no identity yet (key number 0): its key is looked up.
 * Does nothing for errors that the client cannot correct, nor for a repetition of what was noted in
 * the last minute. Outside any transaction, after the response. */
void refusals_note(const struct exchange *exchange, const struct error *error);

#endif
