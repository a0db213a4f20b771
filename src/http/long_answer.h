/* Answers that are too long to be sent at once. A long answer is written to an unlinked file before
 * its first byte is sent. A child process of the worker sends the file, so that a slow reader
 * delays nobody else. The number of these processes is limited. A CGI program sends the file
 * itself. */
#ifndef QSOSYNC_HTTP_LONG_ANSWER_H
#define QSOSYNC_HTTP_LONG_ANSWER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/shared_file.h"
#include "http/error.h"

/* The number of bytes that a socket between front server and worker accepts without waiting for a
 * reader. On request, Linux provides 416 KiB and uses little of that for itself. A process must
 * wait for the reader of a longer answer. Most pages of 500 QSOs are shorter. */
#define LONG_ANSWER_LEAST_BYTES (400 << 10)

/* The length up to which nginx buffers an answer in memory with the shipped configuration. With any
 * front server, the time for a longer answer depends on the reader's connection. */
#define LONG_ANSWER_SLOW_BYTES (1 << 20)

/* The maximum number of answers at the same time, per member and for all members together. The
 * maximum for all is less than half of the requests that Apache serves at once in Debian's
 * configuration. */
#define LONG_ANSWERS_SLOW_MAX 2 /* answers longer than LONG_ANSWER_SLOW_BYTES */
#define LONG_ANSWERS_MAX 8
#define LONG_ANSWERS_ALL_MAX 64

struct long_answer {
    int file; /* contains the answer so far; -1: the answer is not long yet */
    uint64_t length;
    /* The answer's slots, as locks. The locks belong to the processes that have this file open. The
     * locks end with the last of these processes, even if that process is killed. */
    struct shared_file slot;
    bool is_slow;
};

#define LONG_ANSWER_NONE ((struct long_answer){.file = -1, .slot = {.file = -1}})

/* Moves the bytes in the buffer to the end of the answer, which belongs to the member (0: to
 * nobody). Returns NULL, or the error to answer with: the member or all members together have too
 * many answers, or space has run out (after a line in the log). */
const struct error *long_answer_append(struct long_answer *answer, const char *database_path,
                                       int64_t member_id, struct buffer *bytes);

/* Closes the answer in this process. */
void long_answer_close(struct long_answer *answer);

#endif
