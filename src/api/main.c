/* The program qsosync.fcgi: a worker that serves the API. Its routes are the endpoints, each in its
 * own file. src/worker/worker.c starts the worker, waits for requests and ends the worker;
 * src/worker/router.c handles requests. */
#include "api/endpoint.h"
#include "worker/worker.h"

int main(int argument_count, char **arguments)
{
    static const struct request_root root = {.after = {"api", "v1"}};
    static const struct route *const routes[] = {API_ENDPOINTS(ROUTE_ADDRESS) NULL};
    static const struct router router = {
        .routes = routes,
        .identify = endpoint_identify,
        .finish = endpoint_finish,
        .base_message = "is the address for programs; /openapi.json below it describes the API, "
                        "and /docs/ of the service explains it",
    };
    static const struct worker_program program = {
        .number = 0,
        .name = "qsosync.fcgi",
        .purpose = "qsosync.fcgi serves the QSOsync API.\n",
        .root = &root,
        .router = &router,
        .has_trials = true,
    };
    return worker_main(&program, argument_count, arguments);
}
