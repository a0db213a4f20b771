/* What the routes below /profile/data share. */
#ifndef QSOSYNC_SITE_PROFILE_H
#define QSOSYNC_SITE_PROFILE_H

#include "site/body.h"
#include "site/route.h"

/* The JSON object that the request brings. NULL: *body is filled. */
const struct error *profile_read_body(struct exchange *exchange, const struct body **body);

/* A member of it: a name of 1 to KEY_NAME_MAX code points, trimmed, without control characters. */
const struct error *profile_read_name(struct exchange *exchange, const struct body *body,
                                      struct text *name);

/* The segment {number} of the path. */
const struct error *profile_read_number(struct exchange *exchange, int64_t *number);

const struct error *profile_refuse(struct exchange *exchange, const char *field,
                                   const char *message);

/* NULL for STORE_DONE, 404 where nothing is there, 500 otherwise. */
const struct error *profile_store_error(enum store_result result);

/* A row of the route table. */
#define PROFILE_ROUTE(name, verb, where, uses, success, function)                                  \
    const struct route name = {.method = verb,                                                     \
                               .path = "/profile/data/" where,                                     \
                               .access = ACCESS_MEMBER,                                            \
                               .use = uses,                                                        \
                               .status = success,                                                  \
                               .answer = function}

#endif
