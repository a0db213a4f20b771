/* How a worker is asked to end: SIGTERM (nginx's supervisors, Apache) or SIGUSR1 (multiwatch). A
 * signal never interrupts a request. */
#ifndef QSOSYNC_HTTP_SIGNALS_H
#define QSOSYNC_HTTP_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

/* Blocks both signals and ignores SIGPIPE. *while_waiting becomes the mask to wait with (ppoll):
 * the two signals come through only then. */
void signals_block(sigset_t *while_waiting);

/* True once a signal has come. Looks for a blocked one, too: a signal comes through only while the
 * worker waits, which a worker that always has a next request never does. */
bool signals_look(void);

#endif
