/* A response on its way to a socket or a pipe whose other side may read slowly, or not at all. */
#ifndef QSOSYNC_HTTP_OUTPUT_H
#define QSOSYNC_HTTP_OUTPUT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/uio.h>

/* A client that reads more slowly than this, after the wait, is given up. */
#define OUTPUT_LEAST_BYTES_PER_MS 16

struct output {
    int file;
    int64_t wait_ms; /* how long the other side may accept no byte */
    int64_t started_ms;
    uint64_t written_bytes;
};

/* Begins a response. A pipe is switched to not blocking. */
void output_begin(struct output *output, int file, int64_t wait_ms);

/* Writes every part; the array is changed. Returns false, with the rest unwritten, when the other
 * side is gone, takes nothing for wait_ms, or has taken less than OUTPUT_LEAST_BYTES_PER_MS since
 * then. */
bool output_write(struct output *output, struct iovec *parts, int count);

#endif
