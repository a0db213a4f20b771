/* Blocks the signals by which a worker is asked to end, and remembers that one has come. A request
 * is never interrupted: the code that waits for the next one looks here, and decides what the
 * worker does then. */
#include "http/signals.h"

static volatile sig_atomic_t asked_to_end;

static void note_end(int signal_number)
{
    (void)signal_number;
    asked_to_end = 1;
}

void signals_block(sigset_t *while_waiting)
{
    struct sigaction end = {.sa_handler = note_end}, ignore = {.sa_handler = SIG_IGN};
    sigset_t blocked;
    sigaction(SIGPIPE, &ignore, NULL);
    sigaction(SIGTERM, &end, NULL);
    sigaction(SIGUSR1, &end, NULL);
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGTERM);
    sigaddset(&blocked, SIGUSR1);
    sigprocmask(SIG_BLOCK, &blocked, while_waiting);
    sigdelset(while_waiting, SIGTERM);
    sigdelset(while_waiting, SIGUSR1);
}

bool signals_look(void)
{
    sigset_t pending;
    if (sigpending(&pending) == 0 &&
        (sigismember(&pending, SIGTERM) == 1 || sigismember(&pending, SIGUSR1) == 1))
        asked_to_end = 1;
    return asked_to_end;
}
