/* Answers that are too long to send at once. Such an answer is written into an unlinked file before
 * its first byte is sent. A child process sends it, and their number is limited: a slow reader
 * keeps nobody else waiting. */
#ifndef QSOSYNC_HTTP_LONG_ANSWER_H
#define QSOSYNC_HTTP_LONG_ANSWER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/shared_file.h"
#include "http/error.h"

/* What a socket between front server and worker takes at once, without waiting for a reader (Linux
 * gives it 416 KiB when asked to, little of which it needs itself): from there on an answer needs a
 * process that waits. A page of 500 QSOs mostly has less. */
#define LONG_ANSWER_LEAST_BYTES (400 << 10)

/* What the shipped configuration of nginx keeps of one answer in memory. From there on the reader's
 * line decides how long an answer takes, behind every front server. */
#define LONG_ANSWER_SLOW_BYTES (1 << 20)

/* How many a member may have at a time, and all members together: half of what Apache serves
 * at once as Debian configures it. */
#define LONG_ANSWERS_SLOW_MAX 2 /* of those above LONG_ANSWER_SLOW_BYTES */
#define LONG_ANSWERS_MAX 8
#define LONG_ANSWERS_ALL_MAX 64

struct long_answer {
    int file; /* what there is of the answer; -1: it is not long so far */
    uint64_t length;
    /* The right to have it, as locks: whoever has this file open has them, and they end with the
     * last process that does, also when it is killed. */
    struct shared_file slot;
    bool is_slow;
};

#define LONG_ANSWER_NONE ((struct long_answer){.file = -1, .slot = {.file = -1}})

/* Moves the bytes of the buffer to the end of the answer; they are the member's (0: nobody's).
 * Returns NULL, or what to answer instead: the member, or all of them, have as many as there may
 * be; or, after a line in the log, there is no space for it. */
const struct error *long_answer_append(struct long_answer *answer, const char *database_path,
                                       int64_t member_id, struct buffer *bytes);

/* Closes this process's share of it. */
void long_answer_close(struct long_answer *answer);

#endif
