/* The CGI side of the gateway: variables come from the environment, the body from standard input,
 * and the response goes to standard output (RFC 3875). gateway.h says what each function promises;
 * no other file knows which of the two sides is used. */
#include "http/cgi.h"

#include <assert.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "http/output.h"

#define PIECES_MAX 8
const char *cgi_variable(const char *name)
{
    return getenv(name);
}

ssize_t cgi_read(void *out, size_t capacity)
{
    ssize_t length;
    do
        length = read(STDIN_FILENO, out, capacity);
    while (length < 0 && errno == EINTR);
    return length;
}

bool cgi_write(const struct text *pieces, int count, int64_t wait_ms)
{
    static struct output output; /* of the one request */
    struct iovec parts[PIECES_MAX];
    assert(count <= PIECES_MAX);
    for (int i = 0; i < count; i++)
        parts[i] = (struct iovec){(void *)(uintptr_t)pieces[i].bytes, pieces[i].length};
    if (!output.file)
        output_begin(&output, STDOUT_FILENO, wait_ms, 0); /* nobody else waits for it */
    return output_write(&output, parts, count);
}

void cgi_answer_at_once(struct text response)
{
    while (write(STDOUT_FILENO, response.bytes, response.length) < 0 && errno == EINTR) {
    }
}
