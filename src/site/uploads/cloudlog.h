/* Uploads in the format of Cloudlog and Wavelog, under /cloudlog. */
#ifndef QSOSYNC_SITE_CLOUDLOG_H
#define QSOSYNC_SITE_CLOUDLOG_H

#include "json/read.h"
#include "site/uploads/routes.h"
#include "worker/body.h"
#include "worker/route.h"

#define CLOUDLOG_ROUTE(name, verb, where, uses, success, function, ...)                            \
    SITE_ROUTE(name, verb, "/cloudlog/api/" where, .access = ACCESS_UPLOADS, .use = uses,          \
               .status = success, .answer = function, __VA_ARGS__)

/* Simplifies a path below /cloudlog; leaves other paths unchanged. Clients write the path with or
 * without /index.php (once or twice), with doubled slashes, or with a slash at the end. */
void cloudlog_simplify_path(struct request *request);

/* Refuse a request: the first function with a status and a reason, the second because the token is
 * invalid. Both answers have the format that clients expect. */
const struct error *cloudlog_refuse(struct exchange *exchange, int status, const char *reason);
const struct error *cloudlog_refuse_token(struct exchange *exchange);

/* Fills the exchange's identity with the member to whom an upload token belongs. Returns NULL, or
 * the error to answer with. */
const struct error *cloudlog_identify(struct exchange *exchange, struct text token);

/* Returns the token in a path such as /cloudlog/api/station_info/TOKEN. */
struct text cloudlog_path_token(const struct exchange *exchange);

/* Reads the object in the request, a cloudlog_body, and identifies the member by its "key". Returns
 * NULL, or the error to answer with. */
const struct error *cloudlog_read_body(struct exchange *exchange, const struct json_fields **body);
extern const struct route_body cloudlog_body;

#endif
