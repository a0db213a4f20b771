/* Runs the workers of both programs: starts, waits for requests, opens the store, counts each
 * request, and ends. Each program defines its own routes. */
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

/* Data that a worker keeps from request to request. */
struct worker {
    struct store *store; /* NULL: not open */
    /* whether the store is not open because another program locked the store for too long */
    bool store_is_busy;
    struct shared_file limit; /* rate_limit.h */
    struct shares shares;
    struct waiting waiting;
    struct arena arena;
    struct response response;
};

struct worker_program {
    int number;          /* number of the program in shares.h */
    const char *name;    /* "qsosync.fcgi" */
    const char *purpose; /* beginning of --help; ends with a line feed */
    const struct request_root *root;
    /* Decides how a request is counted. NULL: by its address, as a request to the API. */
    void (*choose_count)(struct exchange *exchange, struct rate_count *count);
    const struct router *router;
    bool has_trials;        /* whether keys of sandboxes are valid (trial.h) */
    bool has_secret_bodies; /* whether bodies, and not only headers, can contain passwords or tokens
                             */
};

/* The main function of a program. Serves until no more requests arrive, and returns the exit
 * status. */
int worker_main(const struct worker_program *program, int argument_count, char **arguments);

/* Return a setting that applies to this request. */
const char *worker_setting_text(const struct request *request, enum setting_index setting);
int64_t worker_setting_number(const struct request *request, enum setting_index setting);

#endif
