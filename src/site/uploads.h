/* The upload door: what Cloudlog's API is for logging programs, under /cloudlog. */
#ifndef QSOSYNC_SITE_UPLOADS_H
#define QSOSYNC_SITE_UPLOADS_H

#include "http/request.h"

/* Clients write the path with or without /index.php (once or twice), with slashes doubled or at the
 * end. Takes all that out of a path below /cloudlog; leaves others alone. */
void uploads_simplify_path(struct request *request);

#endif
