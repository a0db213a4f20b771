/* Writes a response to a socket or a pipe whose other side can read slowly or not at all. */
#ifndef QSOSYNC_HTTP_OUTPUT_H
#define QSOSYNC_HTTP_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

/* The minimum rate, in bytes per millisecond, if other requests wait for the writing process. After
 * wait_ms, a slower client is disconnected. */
#define OUTPUT_LEAST_BYTES_PER_MS 16

struct output {
    int file;
    int64_t wait_ms; /* longest time for which the other side may accept no bytes */
    /* number of bytes per millisecond that the other side must accept; 0: no minimum */
    uint64_t least_rate;
    int64_t started_ms;
    uint64_t written_bytes;
};

/* Begins a response. A pipe becomes non-blocking. */
void output_begin(struct output *output, int file, int64_t wait_ms, uint64_t least_rate);

/* Writes the head and the body. Returns false, with the rest unwritten, if the other side has
 * disconnected, accepts nothing for wait_ms, or is slower than the minimum rate after wait_ms. */
bool output_write(struct output *output, struct text head, struct text body);

#endif
