/* Random bytes from the system, for secrets. */
#ifndef QSOSYNC_BASE_RANDOM_H
#define QSOSYNC_BASE_RANDOM_H

#include <stddef.h>

/* At most 256 bytes: every kernel with this call returns them without fail. If it failed, no secret
 * could be created, so the process would end with a line in the log. */
void random_fill(void *out, size_t length);

#endif
