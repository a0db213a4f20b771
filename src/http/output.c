/* One loop for every response, FastCGI or CGI. */
#include "http/output.h"

#include <errno.h>
#include <stddef.h>

bool output_write(int file, struct iovec *parts, int count)
{
    while (count > 0) {
        ssize_t written = writev(file, parts, count);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return false;
        while (count > 0 && (size_t)written >= parts->iov_len) {
            written -= (ssize_t)parts->iov_len;
            parts++;
            count--;
        }
        if (count > 0) {
            parts->iov_base = (char *)parts->iov_base + written;
            parts->iov_len -= (size_t)written;
        }
    }
    return true;
}
