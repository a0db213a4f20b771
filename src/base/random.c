/* Gets random bytes from getrandom(2), which needs no file, because a sandbox can block access to
 * files. */
#include "base/random.h"

#include <sys/random.h>
#include <sys/types.h>
#include <unistd.h>

#include "base/log.h"

void random_fill(void *out, size_t length)
{
    if (getrandom(out, length, 0) == (ssize_t)length)
        return;
    log_line("the system cannot provide random numbers");
    _exit(1);
}
