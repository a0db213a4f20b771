/* The last use of a key, a token or a session: its day, and the program that used it. */
#ifndef QSOSYNC_WORKER_LAST_USE_H
#define QSOSYNC_WORKER_LAST_USE_H

#include "worker/route.h"

/* Records the use of the caller's credential by exchange->program, once a day. Another program's
 * use is also recorded, but rarely, because two programs could share a key and take turns. Call
 * this function after the response, outside any transaction. */
void last_use_note(const struct exchange *exchange);

#endif
