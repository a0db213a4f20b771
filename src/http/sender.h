/* A process that sends a finished answer while the worker that made it takes the next request. */
#ifndef QSOSYNC_HTTP_SENDER_H
#define QSOSYNC_HTTP_SENDER_H

#include <stdbool.h>

struct sending {
    int connection;
    int file; /* the answer */
    int slot; /* the right to have it (long_answer.h); -1: none */
    /* Sends the answer in the new process, which has nothing but the three and standard error, and
     * none of the memory that the worker allocated: the context must not lie there. */
    void (*send)(const struct sending *sending, const void *context);
};

/* To be called once, before the worker allocates much: from now on processes that it starts leave
 * no trace, and do without what it allocates. */
void sender_prepare(void);

/* Starts the process; the caller closes its connection. The signals that ask a worker to end are
 * blocked in it, so that it sends the whole answer also when the worker is replaced. False, with
 * errno, when there can be none. */
bool sender_start(const struct sending *sending, const void *context);

#endif
