/* Extracts lines from the bytes of a telnet client (RFC 854), without telnet options. */
#ifndef QSOSYNC_FEED_TELNET_H
#define QSOSYNC_FEED_TELNET_H

#include <stdbool.h>
#include <stddef.h>

#define TELNET_LINE_MAX 120 /* maximum bytes in a line; the commands of clients are shorter */

enum telnet_state { TELNET_TEXT, TELNET_COMMAND, TELNET_OPTION, TELNET_SUB, TELNET_SUB_COMMAND };

/* In the initial state, all fields are zero. */
struct telnet {
    enum telnet_state state;
    char line[TELNET_LINE_MAX + 1]; /* ends with NUL */
    size_t length;
    bool is_complete;  /* whether the next byte begins a new line */
    bool after_return; /* whether the last byte was a CR, to which a following LF or NUL belongs */
    bool is_odd;       /* whether the line is too long, or contains bytes that are not text */
    /* whether bytes from 0x80 on are text, like printable ASCII; set by the caller before the first
     * byte */
    bool takes_bytes;
};

/* Takes the next byte. Returns whether the byte completes a line. The fields line, length and
 * is_odd describe that line until the next call. */
bool telnet_take(struct telnet *telnet, unsigned char byte);

#endif
