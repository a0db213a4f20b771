/* Who sends the request: the presented key becomes a member and a scope (API section 5). */
#ifndef QSOSYNC_API_AUTHENTICATION_H
#define QSOSYNC_API_AUTHENTICATION_H

#include "worker/route.h"

/* NULL: *identity is filled. Otherwise the error to answer with: no key, a mistyped, unknown or
 * revoked one, an inactive member, or a store that fails. */
const struct error *authentication_identify(const struct request *request, struct store *store,
                                            struct identity *identity);

/* The same for an exchange, with the scope that its route needs. */
const struct error *authentication_check(struct exchange *exchange);

/* Notes the day of the key's use. Outside any transaction. */
void authentication_note_use(const struct exchange *exchange);

#endif
