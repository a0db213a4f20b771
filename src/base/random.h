/* Random bytes of the system, for secrets. */
#ifndef QSOSYNC_BASE_RANDOM_H
#define QSOSYNC_BASE_RANDOM_H

#include <stdbool.h>
#include <stddef.h>

/* At most 256 bytes. Returns false, and what is in out is not to be used, where the system has none
 * to give. */
bool random_fill(void *out, size_t length);

#endif
