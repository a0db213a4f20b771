/* From the system call, which needs no file: a sandbox may have closed them. */
#include "base/random.h"

#include <sys/random.h>

bool random_fill(void *out, size_t length)
{
    return getrandom(out, length, 0) == (ssize_t)length;
}
