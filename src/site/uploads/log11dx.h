/* Uploads in the format of LOG11DX, under /api/wsjtx, from its bridge for WSJT-X and from other
 * programs. Programs compare "status", and show "message". */
#ifndef QSOSYNC_SITE_LOG11DX_H
#define QSOSYNC_SITE_LOG11DX_H

#include "base/buffer.h"
#include "site/uploads/routes.h"
#include "worker/route.h"

#define LOG11DX_ROUTE(name, verb, where, uses, function, ...)                                      \
    SITE_ROUTE(name, verb, "/api/wsjtx/" where, .access = ACCESS_UPLOADS, .use = uses,             \
               .status = 200, .is_object = true, .prepare = log11dx_identify, .answer = function,  \
               __VA_ARGS__)

/* Identifies the member by the token in the request's header. Returns NULL, or the error to answer
 * with. */
const struct error *log11dx_identify(struct exchange *exchange);

/* Begins an answer with a status, its word and a message, and returns the body for further fields.
 */
struct buffer *log11dx_begin_answer(struct exchange *exchange, int status, const char *word,
                                    const char *message);

/* Answers with a status, its word and a message. */
const struct error *log11dx_answer(struct exchange *exchange, int status, const char *word,
                                   const char *message);

#endif
