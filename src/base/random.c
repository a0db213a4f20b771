/* Random bytes from the system call getrandom(2), which needs no file: a sandbox may have closed
 * them. Without them nothing secret can be made, so a failure is told to the caller, who makes
 * none. */
#include "base/random.h"

#include <sys/random.h>

bool random_fill(void *out, size_t length)
{
    return getrandom(out, length, 0) == (ssize_t)length;
}
