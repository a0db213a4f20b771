/* Writes a response to a socket or a pipe whose other side can be slow, in one loop for FastCGI and
 * CGI. A worker serves one request at a time. Without a time limit, one stalled reader per worker
 * would stop the service. Separate processes send the long answers of a worker (long_answer.c). */
#include "http/output.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/param.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>

#include "base/clock.h"

void output_begin(struct output *output, int file, int64_t wait_ms, uint64_t least_rate)
{
    struct stat status;
    *output = (struct output){.file = file,
                              .wait_ms = wait_ms,
                              .least_rate = least_rate,
                              .started_ms = clock_monotonic_ms()};
    if (fstat(file, &status) == 0 && S_ISFIFO(status.st_mode))
        fcntl(file, F_SETFL, fcntl(file, F_GETFL) | O_NONBLOCK);
}

/* Waits until bytes can be written. Returns false if the time limit is reached first. */
static bool wait_for_reader(const struct output *output)
{
    struct pollfd reader = {.fd = output->file, .events = POLLOUT};
    int64_t left_ms = output->wait_ms, used_ms = clock_monotonic_ms() - output->started_ms;
    int ready;
    if (output->least_rate > 0)
        left_ms += MIN((int64_t)(output->written_bytes / output->least_rate) - used_ms, 0);
    do
        ready = left_ms > 0 ? poll(&reader, 1, (int)left_ms) : 0;
    while (ready < 0 && errno == EINTR);
    return ready > 0;
}

bool output_write(struct output *output, struct text head, struct text body)
{
    while (head.length + body.length > 0) {
        struct iovec parts[] = {{(void *)(uintptr_t)head.bytes, head.length},
                                {(void *)(uintptr_t)body.bytes, body.length}};
        const struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
        ssize_t result = sendmsg(output->file, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (result < 0 && errno == ENOTSOCK)
            result = writev(output->file, parts, 2);
        const size_t written = result > 0 ? (size_t)result : 0, of_head = MIN(written, head.length);
        if (result < 0 && errno != EINTR && (errno != EAGAIN || !wait_for_reader(output)))
            return false;
        output->written_bytes += written;
        head = text_skip(head, of_head);
        body = text_skip(body, written - of_head);
    }
    return true;
}
