/* Random bytes from the system, for secrets. */
#ifndef QSOSYNC_BASE_RANDOM_H
#define QSOSYNC_BASE_RANDOM_H

#include <stddef.h>

/* Fills at most 256 bytes, which every kernel with getrandom(2) returns without fail. On failure,
 * no secret could be created, so the process would end with a line in the log. */
void random_fill(void *out, size_t length);

#endif
