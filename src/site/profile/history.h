/* The parts of a log's history that its member and the club's operators have in common: the list of
 * acts, and undoing them. An operator's answers have counts and writers, and nothing of any QSO. */
#ifndef QSOSYNC_SITE_HISTORY_H
#define QSOSYNC_SITE_HISTORY_H

#include "worker/route.h"

/* Whether an operator asks, about exchange->subject; otherwise it is exchange->member's log. */
static inline bool history_is_of_operator(const struct exchange *exchange)
{
    return exchange->route->access == ACCESS_OPERATOR;
}

static inline const struct member *history_owner(const struct exchange *exchange)
{
    return history_is_of_operator(exchange) ? &exchange->subject : &exchange->member;
}

/* Answer a page of acts, and an undo or its preview (history_undo_body is what they read). */
const struct error *history_answer_acts(struct exchange *exchange);
const struct error *history_answer_undo(struct exchange *exchange);
const struct error *history_answer_preview(struct exchange *exchange);
extern const struct route_body history_undo_body;

#endif
