/* The parts of a log's history that members and operators share: the list of acts, and undoing. An
 * operator's answers contain counts and writers, but no data from QSOs. */
#ifndef QSOSYNC_SITE_HISTORY_H
#define QSOSYNC_SITE_HISTORY_H

#include "worker/route.h"

/* Returns whether an operator sent the request. If so, the log belongs to exchange->subject,
 * otherwise to exchange->member. */
static inline bool history_is_of_operator(const struct exchange *exchange)
{
    return exchange->route->access == ACCESS_OPERATOR;
}

static inline const struct member *history_owner(const struct exchange *exchange)
{
    return history_is_of_operator(exchange) ? &exchange->subject : &exchange->member;
}

/* Answer with a page of acts, an undo, or the preview of an undo. history_undo_body is the body of
 * an undo and of its preview. */
const struct error *history_answer_acts(struct exchange *exchange);
const struct error *history_answer_undo(struct exchange *exchange);
const struct error *history_answer_preview(struct exchange *exchange);
extern const struct route_body history_undo_body;

#endif
