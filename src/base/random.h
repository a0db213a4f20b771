/* Random bytes from the system, for secrets. */
#ifndef QSOSYNC_BASE_RANDOM_H
#define QSOSYNC_BASE_RANDOM_H

#include <stddef.h>

/* Fills at most 256 bytes, which every kernel with getrandom(2) returns in full. On failure, the
 * process ends with a line in the log, because no secret can be created. */
void random_fill(void *out, size_t length);

#endif
