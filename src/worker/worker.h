/* The parts that the workers of both programs share: start, wait for requests, open the store,
 * count each request, end. Each program defines its own routes. */
#ifndef QSOSYNC_WORKER_WORKER_H
#define QSOSYNC_WORKER_WORKER_H

#include "base/arena.h"
#include "http/gateway.h"
#include "http/request.h"
#include "http/response.h"
#include "worker/rate_limit.h"
#include "worker/route.h"
#include "worker/settings.h"
#include "worker/shares.h"
#include "worker/waiting.h"

/* The data that a worker keeps from request to request. */
struct worker {
    struct store *store;      /* NULL: not open */
    bool store_is_busy;       /* not open, because another program kept it for too long */
    struct shared_file limit; /* rate_limit.h */
    struct shares shares;
    struct waiting waiting;
    struct arena arena;
    struct response response;
};

struct worker_program {
    int number;          /* shares.h */
    const char *name;    /* "qsosync.fcgi" */
    const char *purpose; /* the start of --help; ends with a line feed */
    const struct request_root *root;
    /* How a request is counted; NULL: by its address, as a request of the API. */
    void (*choose_count)(struct exchange *exchange, struct rate_count *count);
    const struct router *router;
    bool has_secret_bodies; /* passwords and tokens come in bodies, too, not in headers alone */
};

/* The main function of a program: serves until there is nothing more to serve. Returns the exit
 * status. */
int worker_main(const struct worker_program *program, int argument_count, char **arguments);

/* Settings as they are for this request. */
const char *worker_setting_text(const struct request *request, enum setting_index setting);
int64_t worker_setting_number(const struct request *request, enum setting_index setting);

#endif
