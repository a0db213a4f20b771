/* Lines out of what a telnet client sends (RFC 854): its options are taken out, whatever they are.
 */
#ifndef QSOSYNC_FEED_TELNET_H
#define QSOSYNC_FEED_TELNET_H

#include <stdbool.h>
#include <stddef.h>

#define TELNET_LINE_MAX 120 /* bytes; what is longer is no command of ours */

enum telnet_state { TELNET_TEXT, TELNET_COMMAND, TELNET_OPTION, TELNET_SUB, TELNET_SUB_COMMAND };

/* All zero is the beginning of a connection. */
struct telnet {
    enum telnet_state state;
    char line[TELNET_LINE_MAX + 1]; /* with a NUL */
    size_t length;
    bool is_complete;  /* the next byte begins another line */
    bool after_return; /* an LF or a NUL that comes now belongs to the CR before it */
    bool is_odd;       /* the line is too long, or holds what is no printable ASCII */
    bool takes_bytes;  /* bytes from 0x80 on are text, too; the caller sets it at the beginning */
};

/* Takes the next byte. True when it completes a line: line and is_odd tell about it until the next
 * call. */
bool telnet_take(struct telnet *telnet, unsigned char byte);

#endif
