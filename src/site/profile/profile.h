/* Helpers of the routes below /profile/data. */
#ifndef QSOSYNC_SITE_PROFILE_H
#define QSOSYNC_SITE_PROFILE_H

#include "json/read.h"
#include "worker/route.h"
#include "worker/body.h"
#include "worker/input.h"

/* Runs before each of these routes: a POST has a JSON object, exchange->sent, and the session did
 * not end while it arrived. {number} in the path is exchange->number. */
const struct error *profile_prepare(struct exchange *exchange);

/* A field of the object: a name of 1 to KEY_NAME_MAX code points, trimmed, without control
 * characters. */
const struct error *profile_read_name(struct exchange *exchange, struct text *name);

/* A field of the object: a locator in its normal form, in the arena. */
const struct error *profile_read_locator(struct exchange *exchange, struct text *locator);

/* A field that must be there: the text of a list or a file. */
const struct error *profile_read_list(struct exchange *exchange, const char *name,
                                      struct text *list);

/* A field that must be true or false: a missing field never switches anything off. */
const struct error *profile_read_flag(struct exchange *exchange, const char *name, bool *flag);

/* The same for an optional field, which is false if missing. A value of another type is refused,
 * because its sender may have meant a dry run. */
const struct error *profile_read_optional_flag(struct exchange *exchange, const char *name,
                                               bool *flag);

/* The parameter limit: 1 to 200; 50 if it is missing. */
const struct error *profile_read_limit(struct exchange *exchange, int64_t *limit);

/* The parameter after, a cursor of log_filter.h with two numbers, which are unchanged if it is
 * missing. And the field nextCursor, null at the end. */
const struct error *profile_read_cursor(struct exchange *exchange, int64_t *first, int64_t *second);
void profile_write_cursor(struct exchange *exchange, bool more, int64_t first, int64_t second);

/* Receives a piece of a long answer, for exports; the context is the exchange. False: the client is
 * gone, or there is no room for it. */
bool profile_write_piece(void *context, const char *bytes, size_t length);

/* The error to answer with; NULL for STORE_DONE. STORE_NONE is 404. STORE_REFUSED means that the
 * member has the maximum of keys or tokens, and STORE_FULL that no storage is left. STORE_DENIED
 * means that the session has ended, and STORE_NO_GRANT that the grant has. All other results are
 * 500. */
const struct error *profile_store_error(enum store_result result);

/* The entity tag of an answer that is counted from a whole log. It changes with the log, and with
 * the data of the member's own station. */
const char *profile_log_tag(struct exchange *exchange);

#endif
