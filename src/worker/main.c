/* The worker: start, accept loop, shut down. Rules live elsewhere. */
#include <malloc.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "http/gateway.h"
#include "installation.h"
#include "worker/router.h"
#include "worker/sandbox.h"
#include "worker/settings.h"

#define LARGE_PIECE_BYTES (256 * 1024)

static int print_help(void)
{
    struct buffer text = {0};
    buffer_append_string(
        &text, "qsosync.fcgi serves the QSOsync API as a FastCGI worker (a listening socket on\n"
               "standard input) or as a CGI program. The front server starts it.\n\n"
               "Settings, from the environment or the front server's request variables:\n");
    settings_describe(&text);
    bool written = fwrite(text.bytes, 1, text.length, stdout) == text.length && fflush(stdout) == 0;
    buffer_free(&text);
    return written ? 0 : 1;
}

/* What one large body took goes back to the system at once. Left to itself the C library would
 * learn from the first that large pieces are usual, and keep them. */
static void keep_memory_small(void)
{
    mallopt(M_MMAP_THRESHOLD, LARGE_PIECE_BYTES);
    mallopt(M_TRIM_THRESHOLD, LARGE_PIECE_BYTES);
}

int main(int argument_count, char **arguments)
{
    static struct worker worker = {.limit = {.shared = {.file = -1}}};

    log_set_program("qsosync.fcgi");
    sandbox_drop_rights();
    keep_memory_small();
    /* A query without "=" becomes arguments of a CGI program (RFC 3875, section 4.4). */
    bool is_typed = argument_count > 1 && !getenv("GATEWAY_INTERFACE");
    if (is_typed && strcmp(arguments[1], "--version") == 0)
        return puts("qsosync.fcgi " QSOSYNC_VERSION) < 0;
    if (is_typed && strcmp(arguments[1], "--help") == 0)
        return print_help();
    if (!settings_check())
        return 1;
    struct gateway *gateway = gateway_open();
    if (!gateway)
        return 1;
    if (settings_number(SETTING_SANDBOX, NULL, NULL))
        sandbox_enter(settings_fixed_text(SETTING_DB));
    while (gateway_accept(gateway))
        router_serve(&worker, gateway);
    router_close(&worker);
    response_free(&worker.response);
    arena_free(&worker.arena);
    gateway_close(gateway);
    return 0;
}
