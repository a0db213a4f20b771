/* Helpers of the routes below /profile/data. */
#ifndef QSOSYNC_SITE_PROFILE_H
#define QSOSYNC_SITE_PROFILE_H

#include "json/read.h"
#include "site/routes.h"
#include "worker/body.h"
#include "worker/input.h"

/* Before each of them: a POST brings a JSON object, exchange->sent, and the session has not ended
 * while it came; {number} in the path is exchange->number. */
const struct error *profile_prepare(struct exchange *exchange);

/* A field of the object: a name of 1 to KEY_NAME_MAX code points, trimmed, without control
 * characters. */
const struct error *profile_read_name(struct exchange *exchange, struct text *name);

/* A field of the object: a locator in its normal form, in the arena. */
const struct error *profile_read_locator(struct exchange *exchange, struct text *locator);

/* A field that must be there: the text of a list or a file. */
const struct error *profile_read_list(struct exchange *exchange, const char *name,
                                      struct text *list);

/* A field that must be true or false: nothing is switched off because it is missing. */
const struct error *profile_read_flag(struct exchange *exchange, const char *name, bool *flag);

/* The same of one that may be missing: false. A value of another kind is refused: its sender may
 * have meant a trial. */
const struct error *profile_read_optional_flag(struct exchange *exchange, const char *name,
                                               bool *flag);

/* The parameter limit: 1 to 200, and 50 if it is not there. */
const struct error *profile_read_limit(struct exchange *exchange, int64_t *limit);

/* The parameter after, a cursor of log_filter.h: its two numbers, which stay as they are if it is
 * not there; and the field nextCursor, null if no more follows. */
const struct error *profile_read_cursor(struct exchange *exchange, int64_t *first, int64_t *second);
void profile_write_cursor(struct exchange *exchange, bool more, int64_t first, int64_t second);

/* Takes a piece of a long answer, for exports; the context is the exchange. False: the client is
 * gone, or there is no space for it. */
bool profile_write_piece(void *context, const char *bytes, size_t length);

/* The error to answer with; NULL for STORE_DONE. STORE_NONE is 404, STORE_REFUSED a member who has
 * as many keys or tokens as allowed, STORE_FULL one without room for more, STORE_DENIED a session
 * that has ended, STORE_NO_GRANT a grant that has, all else 500.
 */
const struct error *profile_store_error(enum store_result result);

/* The entity tag of an answer that is counted from a whole log: it changes when the log, or what
 * the member says about their own station, changes. */
const char *profile_log_tag(struct exchange *exchange);

/* A row of the route table: of a log, the own one or a station's; and of what is the member's own,
 * as a password is. What such a route answers, if anything, is an object. */
#define PROFILE_ROUTE_OF_LOG(name, verb, where, success, function, ...)                            \
    PROFILE_ROUTE_FOR(ACCESS_LOG, name, verb, where, success, function, __VA_ARGS__)
#define PROFILE_ROUTE(name, verb, where, success, function, ...)                                   \
    PROFILE_ROUTE_FOR(ACCESS_MEMBER, name, verb, where, success, function, __VA_ARGS__)
#define PROFILE_ROUTE_FOR(who, name, verb, where, success, function, ...)                          \
    SITE_ROUTE(name, verb, "/profile/data/" where, .access = who, .use = ROUTE_USE(verb),          \
               .status = success, .is_object = (success) == 200 || (success) == 201,               \
               .prepare = profile_prepare, .answer = function, __VA_ARGS__)

/* One that answers with a file, or with a text as it was stored. */
#define PROFILE_FILE_ROUTE(who, name, where, uses, function)                                       \
    SITE_ROUTE(name, METHOD_GET, "/profile/data/" where, .access = who, .use = uses,               \
               .status = 200, .prepare = profile_prepare, .answer = function)

/* One of a log whose answer a browser keeps, and asks each time whether it still holds. */
#define PROFILE_PRIVATE_ROUTE(name, where, function)                                               \
    SITE_ROUTE(name, METHOD_GET, "/profile/data/" where, .access = ACCESS_LOG,                     \
               .use = USES_SNAPSHOT, .status = 200, .is_tagged = true, .is_kept_privately = true,  \
               .prepare = profile_prepare, .answer = function)

/* One whose answer is counted from a whole log. */
#define PROFILE_LOG_ROUTE(name, where, function)                                                   \
    SITE_ROUTE(name, METHOD_GET, "/profile/data/" where, .access = ACCESS_LOG,                     \
               .use = USES_SNAPSHOT, .status = 200, .is_object = true,                             \
               .entity_tag = profile_log_tag, .answer = function)

/* The field "logPage" of an answer about the log of exchange->member: whether its page is on, and
 * the address with a QR code; null if the member is no station. */
void log_page_write(struct exchange *exchange);

/* Makes one segment of a station's callsign in the path of its page. */
void log_page_simplify_path(struct request *request);

#endif
