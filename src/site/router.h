/* From a request to its route: the checks that the row asks for, the call, and the response. */
#ifndef QSOSYNC_SITE_ROUTER_H
#define QSOSYNC_SITE_ROUTER_H

#include "worker/worker.h"

/* Answers the request, whatever it is; is_refused: the request limit is reached. */
void router_serve(struct worker *worker, struct request *request, bool is_refused);

#endif
