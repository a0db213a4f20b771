/* The program qsosync.fcgi: a worker that serves the API. */
#include "api/router.h"
#include "http/compression.h"

int main(int argument_count, char **arguments)
{
    static const struct request_root root = {.after = {"api", "v1"}};
    static const struct worker_program program = {
        .name = "qsosync.fcgi",
        .purpose = "qsosync.fcgi serves the QSOsync API.\n",
        .root = &root,
        .limit_group = RATE_LIMIT_API,
        .load = compression_load,
        .serve = router_serve,
    };
    return worker_main(&program, argument_count, arguments);
}
