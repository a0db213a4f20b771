/* Writing all of several pieces to a socket or a pipe. */
#ifndef QSOSYNC_HTTP_OUTPUT_H
#define QSOSYNC_HTTP_OUTPUT_H

#include <stdbool.h>
#include <sys/uio.h>

/* Writes every part, and changes them on the way. Returns false, with the rest unwritten, when the
 * other side is gone. */
bool output_write(int file, struct iovec *parts, int count);

#endif
