/* Which row of a program's table a request's method and path belong to. */
#ifndef QSOSYNC_WORKER_PATH_TABLE_H
#define QSOSYNC_WORKER_PATH_TABLE_H

#include "worker/route.h"

#define PATH_TABLE_ALLOW_BYTES 64

/* False: no route has the path. Otherwise *route is the one with the request's method, or NULL, and
 * allow gets the value of the Allow header. A path without {} goes before one with it; HEAD goes
 * where GET goes. The routes end with NULL. */
bool path_table_find(const struct route *const *routes, const struct request *request,
                     const struct route **route, char allow[PATH_TABLE_ALLOW_BYTES]);

#endif
