/* Opens the gateway when a program begins: signals, the listening socket, and places for
 * requests. */
#include "http/gateway.h"

#include <errno.h>
#include <fcgiapp.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/log.h"
#include "http/gateway_state.h"

uintptr_t gateway_heap_end(void)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    return ((uintptr_t)sbrk(0) + page - 1) / page * page;
}

/* Opens a file that receives the signals that end a worker: SIGTERM (nginx's supervisors, Apache)
 * and SIGUSR1 (multiwatch). Both signals are blocked, so that they never interrupt a request. The
 * code that waits for the next request also watches this file, and then decides how the worker
 * ends. */
static int open_signals(void)
{
    sigset_t ends;
    signal(SIGPIPE, SIG_IGN);
    signal(SIGTERM, SIG_DFL); /* Ignored signals would not be delivered. */
    signal(SIGUSR1, SIG_DFL);
    sigemptyset(&ends);
    sigaddset(&ends, SIGTERM);
    sigaddset(&ends, SIGUSR1);
    sigprocmask(SIG_BLOCK, &ends, NULL);
    return signalfd(-1, &ends, SFD_CLOEXEC);
}

static bool open_places(struct gateway *gateway)
{
    gateway->place = gateway->places;
    for (int i = 0; !gateway->is_cgi && i < GATEWAY_PLACES; i++)
        if (FCGX_InitRequest(&gateway->places[i].request, GATEWAY_LISTENING_SOCKET,
                             FCGI_FAIL_ACCEPT_ON_INTR) != 0)
            return false;
    return true;
}

/* Opens the signals after FCGX_IsCGI, because that call makes libfcgi set its own signal handlers.
 * The gateway is not on the heap, because processes that send files release their heap. The socket
 * is non-blocking, because several workers share it: a connection wakes all workers, and one worker
 * accepts the connection. */
struct gateway *gateway_open(void)
{
    static struct gateway gateway;
    const struct sigaction no_trace = {.sa_handler = SIG_DFL, .sa_flags = SA_NOCLDWAIT};
    gateway.is_cgi = FCGX_IsCGI();
    gateway.signals = open_signals();
    const bool is_open = open_places(&gateway);
    if (gateway.is_cgi)
        return &gateway;
    const int flags = fcntl(GATEWAY_LISTENING_SOCKET, F_GETFL);
    if (!is_open || gateway.signals < 0 || flags < 0 ||
        fcntl(GATEWAY_LISTENING_SOCKET, F_SETFL, flags | O_NONBLOCK) != 0) {
        log_line("cannot use the listening socket on standard input: %s", strerror(errno));
        return NULL;
    }
    /* Processes that send files leave no zombies when they end. */
    sigaction(SIGCHLD, &no_trace, NULL);
    gateway.heap_begin = gateway_heap_end(); /* set before the worker allocates much */
    return &gateway;
}
